import {
  type PaymentFact,
  GatewayRejected,
  type LinkRequest,
  type PaymentLink,
} from '../../domain/ports/payments.ts'
import { read, send, toFault, type Wire } from './call.ts'
import { LinkEntity, LinkList } from './entities.ts'
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
  const post = () => wire.razorpay.paymentLink.create(body)
  const link = await send(wire, post, LinkEntity).catch(async (error: unknown) => {
    const fault = toFault(error)
    const mayExist = fault.isRetryable || /reference id/i.test(fault.message)
    const found = mayExist ? await findLink(wire, request.purchaseId) : undefined
    if (found === undefined) throw error
    return found
  })
  if (link.amount === request.amountMinor && link.currency === request.currency) {
    return toLink(wire, link)
  }
  throw new GatewayRejected('link_differs', 'the link differs from the request')
}

async function findLink(wire: Wire, purchaseId: string): Promise<LinkEntity | undefined> {
  const query = { reference_id: purchaseId, count: 10 }
  const list = await read(wire, () => wire.razorpay.paymentLink.all(query), LinkList)
  return list.payment_links.find((entry) => entry.reference_id === purchaseId)
}

/** Fetches each payment by its id, because the link does not say which order a payment belongs to. */
export async function linkPayments(wire: Wire, linkId: string): Promise<PaymentFact[]> {
  const id = checkedId(linkId, wire.mode)
  const { payments } = await read(wire, () => wire.razorpay.paymentLink.fetch(id), LinkEntity)
  return Promise.all((payments ?? []).map((entry) => fetchPayment(wire, entry.payment_id)))
}

/** Cancels a link that nobody has paid. */
export async function cancelLink(wire: Wire, linkId: string): Promise<void> {
  const id = checkedId(linkId, wire.mode)
  await send(wire, () => wire.razorpay.paymentLink.cancel(id), LinkEntity, 3)
}

function toLink({ mode }: Wire, { id, short_url: url, expire_by: end }: LinkEntity): PaymentLink {
  if (typeof end !== 'number') throw new GatewayRejected('link_differs', 'the link has no end')
  return { linkId: checkedId(id, mode), url, expiresAt: end * 1_000 }
}
