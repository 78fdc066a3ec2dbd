import { GatewayRejected, type NewOrder, type OrderRequest } from '../../domain/ports/payments.ts'
import { read, send, toFault, type Wire } from './call.ts'
import { OrderEntity } from './entities.ts'
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
    send(wire, () => wire.razorpay.orders.create(fields), OrderEntity, 2)
  const order = await post({ ...body, ...UNIQUE_RECEIPT })
    .catch((error: unknown) => {
      if (!isRejectedFor('unique_receipt', error)) throw error
      return post(body)
    })
    .catch(async (error: unknown) => {
      if (!isRejectedFor('receipt should be unique', error)) throw error
      const found = await findRepeated(wire, request.purchaseId, toFault(error).orderId)
      if (found === undefined) throw error
      return found
    })
  return checkedOrder(wire, order, request)
}

/** The order created earlier for this purchase, or null. */
export async function findOrder(wire: Wire, request: OrderRequest): Promise<string | null> {
  const order = await findByReceipt(wire, request.purchaseId)
  return order === undefined ? null : checkedOrder(wire, order, request)
}

async function findByReceipt(wire: Wire, purchaseId: string): Promise<OrderEntity | undefined> {
  const get = () => wire.razorpay.orders.all({ receipt: purchaseId })
  const { items } = await readList(wire, get, OrderEntity)
  return items.find(({ receipt }) => receipt === purchaseId)
}

/** The receipt that our key wrote on an order; null when it has none. */
export async function fetchReceipt(wire: Wire, orderId: string): Promise<string | null> {
  const { receipt } = await readOrder(wire, checkedId(orderId, wire.mode))
  return receipt ?? null
}

async function findRepeated(wire: Wire, purchaseId: string, named: string | null) {
  if (named !== null) {
    const order = await readOrder(wire, checkedId(named, wire.mode))
    if (order.receipt === purchaseId) return order
  }
  return findByReceipt(wire, purchaseId)
}

function readOrder(wire: Wire, id: string): Promise<OrderEntity> {
  return read(wire, () => wire.razorpay.orders.fetch(id), OrderEntity)
}

/** The id of an order whose amount and currency match the purchase. Throws GatewayRejected. */
function checkedOrder({ mode }: Wire, order: OrderEntity, request: OrderRequest): string {
  if (order.amount === request.amountMinor && order.currency === request.currency) {
    return checkedId(order.id, mode)
  }
  throw new GatewayRejected('order_differs', 'the order differs from the request')
}

function isRejectedFor(words: string, error: unknown): boolean {
  const { isRejection, message } = toFault(error)
  return isRejection && message.toLowerCase().includes(words)
}
