import { badRequest } from '../api-error.ts'
import { getOrder } from '../order/read-orders.ts'
import type { Body } from '../order/validate-order.ts'
import type { PaymentEntity } from '../state/entity.ts'
import type { World } from '../world.ts'
import { capturePayment } from './moves.ts'
import { getPayment, showPayment } from './read-payments.ts'

const captureStep = { step: 'payment_capture' }

/** `POST /v1/payments/:id/capture`: only from `authorized`, only the whole amount. */
export function captureOnRequest(world: World, id: string, body: Body): PaymentEntity {
  const record = getPayment(world, id)
  const { entity } = record
  if (entity.captured) throw badRequest('This payment has already been captured', captureStep)
  if (entity.status !== 'authorized') {
    throw badRequest(
      'Only payments which have been authorized and not yet captured can be captured',
      captureStep,
    )
  }
  if (body.amount === undefined) throw badRequest('amount: is required.', { field: 'amount' })
  if (body.amount !== entity.amount || (body.currency ?? entity.currency) !== entity.currency) {
    throw badRequest('Capture amount must be equal to the amount authorized', {
      ...captureStep,
      field: 'amount',
    })
  }
  if (getOrder(world, entity.order_id).entity.status === 'paid') {
    throw badRequest(
      'Your payment has been declined as the order is already paid. Please initiate the payment with a new order.',
      captureStep,
    )
  }
  capturePayment(world, record)
  return showPayment(entity)
}
