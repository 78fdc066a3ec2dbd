import {
  GatewayRefused,
  type NewOrder,
  type OrderRecord,
  type OrderRequest,
} from '../../domain/ports/payments.ts'
import { send, sendAgain, type RazorpayFault, toFault, type Wire } from './call.ts'
import { OrderAsWritten, OrderEntity, toSaleRecord } from './entities.ts'
import { readList } from './lists.ts'
import { checkedId } from './provider-id.ts'

/** Minutes; the longest Razorpay allows. A payment that is not captured by then is sent back. */
const CAPTURE_WITHIN = 7_200

/** Makes a repeated receipt answer the same order. New in 2026: some accounts reject the field. */
const UNIQUE_RECEIPT = { unique_receipt: true }

/**
 * Creates an order and answers its id. The purchase id is the order's receipt, so that an order whose answer was
 * lost is found instead of created twice: by `unique_receipt`, by the id in the error about a repeated receipt, or by
 * listing the orders with the receipt.
 */
export async function createOrder(wire: Wire, request: NewOrder): Promise<string> {
  const body = {
    amount: request.amountMinor,
    currency: request.currency,
    receipt: request.purchaseId,
    notes: { purchase: request.purchaseId, ...request.notes },
    payment: {
      capture: 'automatic' as const,
      capture_options: {
        automatic_expiry_period: CAPTURE_WITHIN,
        manual_expiry_period: CAPTURE_WITHIN,
        refund_speed: 'normal' as const,
      },
    },
  }
  const post = (fields: typeof body) =>
    sendAgain(() => wire.razorpay.orders.create(fields), OrderEntity, {
      tries: 2,
      pacing: wire.pacing,
    })
  try {
    const order = await post({ ...body, ...UNIQUE_RECEIPT }).catch((error: unknown) => {
      if (!isUnknownField(toFault(error))) throw error
      return post(body)
    })
    return checkedOrder(wire, order, request)
  } catch (error) {
    const fault = toFault(error)
    if (!isRepeatedReceipt(fault)) throw error
    return findRepeatedOrder(wire, request, fault)
  }
}

/** The order created earlier for this purchase, or null. */
export async function findOrder(wire: Wire, request: OrderRequest): Promise<string | null> {
  const get = () => wire.razorpay.orders.all({ receipt: request.purchaseId })
  const { items } = await readList(wire, get, OrderEntity)
  const order = items.find(({ receipt }) => receipt === request.purchaseId)
  return order === undefined ? null : checkedOrder(wire, order, request)
}

/** An order with the notes of its creation. */
export async function fetchOrder(wire: Wire, orderId: string): Promise<OrderRecord> {
  const id = checkedId(orderId, wire.mode)
  const get = () => wire.razorpay.orders.fetch(id)
  const order = await sendAgain(get, OrderAsWritten, { tries: 3, pacing: wire.pacing })
  return { razorpayOrderId: id, ...toSaleRecord(order, order.receipt) }
}

async function findRepeatedOrder(
  wire: Wire,
  request: OrderRequest,
  fault: RazorpayFault,
): Promise<string> {
  if (fault.orderId !== null) {
    const id = checkedId(fault.orderId, wire.mode)
    const order = await send(() => wire.razorpay.orders.fetch(id), OrderEntity)
    if (order.receipt === request.purchaseId) return checkedOrder(wire, order, request)
  }
  const found = await findOrder(wire, request)
  if (found === null) throw fault
  return found
}

/** The id of an order whose amount and currency match the purchase. Throws GatewayRefused. */
function checkedOrder({ mode }: Wire, order: OrderEntity, request: OrderRequest): string {
  if (order.amount === request.amountMinor && order.currency === request.currency) {
    return checkedId(order.id, mode)
  }
  throw new GatewayRefused('order_differs', 'the order differs from the request')
}

function isRepeatedReceipt(fault: RazorpayFault): boolean {
  return fault.isRefusal && /receipt should be unique/i.test(fault.message)
}

function isUnknownField(fault: RazorpayFault): boolean {
  return fault.isRefusal && fault.message.includes('unique_receipt')
}
