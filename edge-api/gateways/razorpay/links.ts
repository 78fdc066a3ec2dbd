import {
  type PaymentFact,
  GatewayRefused,
  type LinkRecord,
  type LinkRequest,
  type OrderRequest,
  type PaymentLink,
} from '../../domain/ports/payments.ts'
import { send, sendAgain, toFault, type Wire } from './call.ts'
import { LinkEntity, LinkList, LinksAsWritten, toSaleRecord } from './entities.ts'
import { fetchPayment } from './payments.ts'
import { checkedId } from './provider-id.ts'

/** Creates a payment link. `reference_id` is unique at Razorpay, so a link whose answer was lost is found by it. */
export async function createLink(wire: Wire, request: LinkRequest): Promise<PaymentLink> {
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
  try {
    return toLink(
      wire,
      await send(() => wire.razorpay.paymentLink.create(body), LinkEntity),
      request,
    )
  } catch (error) {
    const fault = toFault(error)
    const mayExist = fault.isRetryable || /reference id/i.test(fault.message)
    const found = mayExist ? await findLink(wire, request) : null
    if (found === null) throw error
    return found
  }
}

async function findLink(wire: Wire, request: OrderRequest): Promise<PaymentLink | null> {
  const query = { reference_id: request.purchaseId, count: 10 }
  const get = () => wire.razorpay.paymentLink.all(query)
  const list = await sendAgain(get, LinkList, { tries: 3, pacing: wire.pacing })
  const link = list.payment_links.find((entry) => entry.reference_id === request.purchaseId)
  return link === undefined ? null : toLink(wire, link, request)
}

/** The link through which a payment was made, with the notes of its creation; null when there is none. */
export async function linkOfPayment(wire: Wire, paymentId: string): Promise<LinkRecord | null> {
  const id = checkedId(paymentId, wire.mode)
  const query = { payment_id: id, count: 10 }
  const get = () => wire.razorpay.paymentLink.all(query)
  const list = await sendAgain(get, LinksAsWritten, { tries: 3, pacing: wire.pacing })
  const link = list.payment_links.find((entry) =>
    entry.payments?.some((payment) => payment.payment_id === id),
  )
  if (link === undefined) return null
  return {
    linkId: checkedId(link.id, wire.mode),
    url: link.short_url,
    expiresAt: link.expire_by * 1_000,
    ...toSaleRecord(link, link.reference_id),
  }
}

/** Fetches each payment by its id, because the link does not say which order a payment belongs to. */
export async function linkPayments(wire: Wire, linkId: string): Promise<PaymentFact[]> {
  const id = checkedId(linkId, wire.mode)
  const get = () => wire.razorpay.paymentLink.fetch(id)
  const { payments } = await sendAgain(get, LinkEntity, { tries: 3, pacing: wire.pacing })
  return Promise.all((payments ?? []).map((entry) => fetchPayment(wire, entry.payment_id)))
}

/** Cancels a link that nobody has paid. */
export async function cancelLink(wire: Wire, linkId: string): Promise<void> {
  const id = checkedId(linkId, wire.mode)
  const post = () => wire.razorpay.paymentLink.cancel(id)
  await sendAgain(post, LinkEntity, { tries: 3, pacing: wire.pacing })
}

function toLink({ mode }: Wire, link: LinkEntity, request: OrderRequest): PaymentLink {
  const isSame = link.amount === request.amountMinor && link.currency === request.currency
  if (!isSame || typeof link.expire_by !== 'number') {
    throw new GatewayRefused('link_differs', 'the link differs from the request')
  }
  return {
    linkId: checkedId(link.id, mode),
    url: link.short_url,
    expiresAt: link.expire_by * 1_000,
  }
}
