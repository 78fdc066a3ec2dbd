import type { Currency } from '../../../src/contract/currency.ts'
import {
  type DisputeFact,
  GatewayRejected,
  type LinkRequest,
  type Listed,
  type NewOrder,
  type PaymentFact,
  type PaymentLink,
  type RefundFact,
} from '../../domain/ports/payments.ts'
import { type Page, read, readList, readPages, send, toFault, type Client } from './call.ts'
import {
  checkedId,
  DisputeEntity,
  LinkEntity,
  LinkList,
  OrderEntity,
  PaymentEntity,
  RefundEntity,
  toDisputeFact,
  toPaymentFact,
  toRefundFact,
} from './entities.ts'

// The requests that the gateway makes (domain/ports/payments.ts says what each answers).

// --- Orders ------------------------------------------------------------------------------------------------------------

/** Minutes; the longest Razorpay allows. A payment that is not captured by then is sent back. */
const CAPTURE_WITHIN = 7_200

/** Makes a repeated receipt answer the same order. New in 2026: some accounts reject the field. */
const UNIQUE_RECEIPT = { unique_receipt: true }

/**
 * Creates an order and answers its id. The purchase id is the order's receipt, and a repeated receipt answers the same
 * order: by `unique_receipt`, or by the id in the error about it.
 */
export async function createOrder(client: Client, request: NewOrder): Promise<string> {
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
    send(client, () => client.sdk.orders.create(fields), OrderEntity, 2)
  const order = await post({ ...body, ...UNIQUE_RECEIPT })
    .catch((error: unknown) => {
      if (!isRejectedFor('unique_receipt', error)) throw error
      return post(body)
    })
    .catch(async (error: unknown) => {
      const { orderId } = toFault(error)
      if (orderId === null || !isRejectedFor('receipt should be unique', error)) throw error
      return readOrder(client, orderId)
    })
  return checkedOrder(client, order, request)
}

/** The receipt that our key wrote on an order; null when it has none. */
export async function fetchReceipt(client: Client, orderId: string): Promise<string | null> {
  const { receipt } = await readOrder(client, orderId)
  return receipt ?? null
}

function readOrder(client: Client, orderId: string): Promise<OrderEntity> {
  const id = checkedId(orderId, client.mode)
  return read(client, () => client.sdk.orders.fetch(id), OrderEntity)
}

/** The id of an order that is the purchase's, with its amount and currency. Throws GatewayRejected. */
function checkedOrder({ mode }: Client, order: OrderEntity, request: NewOrder): string {
  const { purchaseId, amountMinor, currency } = request
  const isSame =
    order.receipt === purchaseId && order.amount === amountMinor && order.currency === currency
  if (isSame) return checkedId(order.id, mode)
  throw new GatewayRejected('order_differs', 'the order differs from the request')
}

function isRejectedFor(words: string, error: unknown): boolean {
  const { isRejection, message } = toFault(error)
  return isRejection && message.toLowerCase().includes(words)
}

// --- Payments, refunds and disputes ------------------------------------------------------------------------------------

/** Of one payment's refunds. */
const REFUNDS_MAX = 100

/** All payments of an order, failed ones included. Asks by the order's id, because Razorpay's lists lag behind. */
export async function paymentsOfOrder(client: Client, orderId: string): Promise<PaymentFact[]> {
  const id = checkedId(orderId, client.mode)
  const get = () => client.sdk.orders.fetchPayments(id)
  const { items } = await readList(client, get, PaymentEntity)
  return items.map(toPaymentFact).filter((fact) => fact !== null)
}

/** The payment's current state. Throws GatewayRejected for a payment without an order: it is not one of ours. */
export async function fetchPayment(client: Client, paymentId: string): Promise<PaymentFact> {
  const id = checkedId(paymentId, client.mode)
  return requireFact(await read(client, () => client.sdk.payments.fetch(id), PaymentEntity))
}

/** Captures a payment. After any error the payment is fetched, because it may be captured all the same. */
export async function capture(
  client: Client,
  payment: { paymentId: string; amountMinor: number; currency: Currency },
): Promise<PaymentFact> {
  const id = checkedId(payment.paymentId, client.mode)
  const post = () => client.sdk.payments.capture(id, payment.amountMinor, payment.currency)
  try {
    return requireFact(await send(client, post, PaymentEntity))
  } catch (error) {
    const fact = await fetchPayment(client, id)
    if (fact.status === 'captured') return fact
    throw error
  }
}

/** The newest 100 refunds of a payment, failed ones included. */
export async function refundsOfPayment(client: Client, paymentId: string): Promise<RefundFact[]> {
  const id = checkedId(paymentId, client.mode)
  const get = () => client.sdk.payments.fetchMultipleRefund(id, { count: REFUNDS_MAX })
  const { items } = await readList(client, get, RefundEntity)
  return items.map(toRefundFact)
}

/** The dispute's current state. */
export async function fetchDispute(client: Client, disputeId: string): Promise<DisputeFact> {
  const id = checkedId(disputeId, client.mode)
  return toDisputeFact(await read(client, () => client.sdk.disputes.fetch(id), DisputeEntity))
}

/** Refunds once however often it is sent. Razorpay rejects a key with another body, so the amount is part of the key. */
export async function refund(
  client: Client,
  { paymentId, amountMinor, key }: { paymentId: string; amountMinor: number; key: string },
): Promise<RefundFact> {
  const id = checkedId(paymentId, client.mode)
  const sdk = client.keyed(`${key}-${amountMinor}`)
  const body = { amount: amountMinor, speed: 'normal' as const, notes: { reason: key } }
  const post = () => sdk.payments.refund(id, body)
  return toRefundFact(await send(client, post, RefundEntity, 2))
}

function requireFact(entity: PaymentEntity): PaymentFact {
  const fact = toPaymentFact(entity)
  if (fact === null) throw new GatewayRejected('no_order', 'the payment has no order')
  return fact
}

// --- Payment links -----------------------------------------------------------------------------------------------------

/** Creates a payment link. `reference_id` is unique at Razorpay, so a link whose answer was lost, or that was not stored with its purchase, is found by it. */
export async function createLink(client: Client, request: LinkRequest): Promise<PaymentLink> {
  const body = {
    amount: request.amountMinor,
    currency: request.currency,
    accept_partial: false,
    description: request.description,
    reference_id: request.purchaseId,
    customer: {},
    notify: { sms: false, email: false },
    reminder_enable: false,
    notes: { purchase: request.purchaseId, ...request.notes },
    callback_url: request.callbackUrl,
    callback_method: 'get',
    expire_by: Math.floor(request.expiresAt / 1_000),
  }
  const post = () => client.sdk.paymentLink.create(body)
  const link = await send(client, post, LinkEntity).catch(async (error: unknown) => {
    const fault = toFault(error)
    const mayExist = fault.isRetryable || /reference id/i.test(fault.message)
    const found = mayExist ? await findLink(client, request.purchaseId) : undefined
    if (found === undefined) throw error
    return found
  })
  if (link.amount === request.amountMinor && link.currency === request.currency) {
    return toLink(client, link)
  }
  throw new GatewayRejected('link_differs', 'the link differs from the request')
}

async function findLink(client: Client, purchaseId: string): Promise<LinkEntity | undefined> {
  const query = { reference_id: purchaseId, count: 10 }
  const list = await read(client, () => client.sdk.paymentLink.all(query), LinkList)
  return list.payment_links.find((entry) => entry.reference_id === purchaseId)
}

/** Fetches each payment by its id, because the link does not say which order a payment belongs to. */
export async function linkPayments(client: Client, linkId: string): Promise<PaymentFact[]> {
  const id = checkedId(linkId, client.mode)
  const { payments } = await read(client, () => client.sdk.paymentLink.fetch(id), LinkEntity)
  return Promise.all((payments ?? []).map((entry) => fetchPayment(client, entry.payment_id)))
}

/** Cancels a link that nobody has paid. */
export async function cancelLink(client: Client, linkId: string): Promise<void> {
  const id = checkedId(linkId, client.mode)
  await send(client, () => client.sdk.paymentLink.cancel(id), LinkEntity, 3)
}

function toLink({ mode }: Client, { id, short_url: url, expire_by: end }: LinkEntity): PaymentLink {
  if (typeof end !== 'number') throw new GatewayRejected('link_differs', 'the link has no end')
  return { linkId: checkedId(id, mode), url, expiresAt: end * 1_000 }
}

// --- Lists for the audit -----------------------------------------------------------------------------------------------

/** Lists up to 1,000 payments. Razorpay's list lags minutes behind. */
export async function paymentsBetween(
  client: Client,
  from: number,
  to: number,
): Promise<Listed<PaymentFact>> {
  const request = (page: Page) =>
    client.sdk.payments.all({ from: inSeconds(from), to: inSeconds(to), ...page })
  const { items, isWhole } = await readPages(client, request, PaymentEntity)
  return { items: items.map(toPaymentFact).filter((fact) => fact !== null), isWhole }
}

/** Lists up to 1,000 refunds. */
export async function refundsBetween(
  client: Client,
  from: number,
  to: number,
): Promise<Listed<RefundFact>> {
  const request = (page: Page) =>
    client.sdk.refunds.all({ from: inSeconds(from), to: inSeconds(to), ...page })
  const { items, isWhole } = await readPages(client, request, RefundEntity)
  return { items: items.map(toRefundFact), isWhole }
}

/** Lists up to 1,000 disputes. This list knows no span, so it is read until a page is older. */
export async function disputesSince(client: Client, from: number): Promise<Listed<DisputeFact>> {
  const since = inSeconds(from)
  const request = (page: Page) => client.sdk.disputes.all(page)
  const isOld = (items: DisputeEntity[]) => items.some((item) => item.created_at < since)
  const { items, isWhole } = await readPages(client, request, DisputeEntity, isOld)
  const recent = items.filter((item) => item.created_at >= since)
  return { items: recent.map(toDisputeFact), isWhole }
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1_000)
}
