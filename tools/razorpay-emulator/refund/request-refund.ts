import { ApiError, badRequest, unknownId } from '../api-error.ts'
import { collection } from '../collection.ts'
import type { Body } from '../order/validate-order.ts'
import { readNotes, readReference } from '../order/validate-order.ts'
import { getPayment } from '../payment/read-payments.ts'
import type { RefundEntity } from '../state/entity.ts'
import type { PaymentRecord, RefundRecord } from '../state/state.ts'
import type { World } from '../world.ts'
import { issueRefund } from './issue-refund.ts'

function readRefundAmount(body: Body, payment: PaymentRecord): number {
  const left = payment.entity.amount - payment.entity.amount_refunded
  const { amount = left } = body
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) {
    throw badRequest('The amount must be an integer.', { field: 'amount' })
  }
  if (left <= 0) throw badRequest('The payment has been fully refunded already')
  if (amount < 1) throw badRequest('The amount must be at least 1.', { field: 'amount' })
  if (amount > left) {
    throw badRequest('The total refund amount is greater than the refund payment amount', {
      field: 'amount',
    })
  }
  return amount
}

/** A refund that the same key has made before; the same key with another body is a mistake. */
function findRepeat(world: World, key: string, requestBody: string): RefundRecord | undefined {
  const first = Object.values(world.state.refunds).find((one) => one.idempotencyKey === key)
  if (!first) return undefined
  if (first.requestBody !== requestBody) {
    throw badRequest('Different request body sent for the same Refund Idempotency key.')
  }
  if (first.entity.status === 'pending') {
    throw new ApiError(409, {
      code: 'BAD_REQUEST_ERROR',
      description: 'Another refund request with the same idempotency key is in progress.',
    })
  }
  return first
}

/** `POST /v1/payments/:id/refund`: captured payments only, parts may add up to the whole. */
export function refundOnRequest(
  world: World,
  paymentId: string,
  body: Body,
  idempotencyKey: string | null = null,
): RefundEntity {
  const payment = getPayment(world, paymentId)
  const requestBody = JSON.stringify([paymentId, body])
  if (idempotencyKey !== null && !/^[A-Za-z0-9_-]{10,}$/.test(idempotencyKey)) {
    throw badRequest('The refund idempotency key is not valid.')
  }
  const repeat = idempotencyKey === null ? null : findRepeat(world, idempotencyKey, requestBody)
  if (repeat) return repeat.entity
  if (!payment.entity.captured) {
    throw badRequest('The payment status should be captured for action to be taken')
  }
  const request = {
    amount: readRefundAmount(body, payment),
    speed: body.speed === 'optimum' ? ('optimum' as const) : ('normal' as const),
    notes: readNotes(body.notes),
    receipt: readReference(body.receipt, 'receipt'),
    idempotencyKey,
    requestBody,
  }
  return issueRefund(world, payment, request).entity
}

export function getRefund(world: World, id: string): RefundRecord {
  const record = world.state.refunds[id]
  if (!record) throw unknownId()
  return record
}

export function refundsOfPayment(world: World, paymentId: string) {
  getPayment(world, paymentId)
  const refunds = Object.values(world.state.refunds)
    .map((record) => record.entity)
    .filter((refund) => refund.payment_id === paymentId)
  return collection(refunds.reverse())
}
