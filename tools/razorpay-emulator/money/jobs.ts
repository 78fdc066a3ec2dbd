import type { Job } from '../core/state.ts'
import type { World } from '../core/world.ts'
import { deliver } from '../webhook/deliver.ts'
import { expireLink } from './links.ts'
import { authorizePayment, autoRefund, canMove, failPayment, getPayment } from './payments.ts'

/** Runs the job of a timer. Each job first checks whether there is still something to do. */
export async function runJob(world: World, job: Job): Promise<void> {
  if (job.kind === 'deliver') {
    await deliver(world, job.deliveryId)
    return
  }
  if (job.kind === 'expire-link') {
    expireLink(world, job.linkId)
    return
  }
  const payment = getPayment(world, job.paymentId)
  if (job.kind === 'auto-refund') autoRefund(world, payment.entity)
  if (job.kind === 'late-authorize' && canMove(payment.entity, 'authorized')) {
    authorizePayment(world, payment)
  }
  if (job.kind === 'payment-timeout' && payment.entity.status === 'created') {
    failPayment(world, payment, 'payment_timed_out')
  }
}
