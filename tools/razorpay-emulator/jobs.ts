import { expireLink } from './link/change-link.ts'
import { authorizePayment, autoRefund, canMove, failPayment } from './payment/moves.ts'
import { finishRefund } from './refund/issue-refund.ts'
import type { Job } from './state/state.ts'
import { deliver, disableFailingEndpoint } from './webhook/deliver.ts'
import type { World } from './world.ts'

/** Does what a timer was set for. Each job looks first whether there is still something to do. */
export async function runJob(world: World, job: Job): Promise<void> {
  switch (job.kind) {
    case 'deliver':
      await deliver(world, job.deliveryId)
      return
    case 'disable-endpoint':
      disableFailingEndpoint(world)
      return
    case 'payment-timeout': {
      const payment = world.state.payments[job.paymentId]
      if (payment?.entity.status === 'created') failPayment(world, payment, 'payment_timed_out')
      return
    }
    case 'late-authorize': {
      const payment = world.state.payments[job.paymentId]
      if (payment && canMove(payment.entity, 'authorized')) authorizePayment(world, payment)
      return
    }
    case 'auto-refund': {
      const payment = world.state.payments[job.paymentId]
      if (payment) autoRefund(world, payment)
      return
    }
    case 'finish-refund': {
      const refund = world.state.refunds[job.refundId]
      if (refund?.entity.status === 'pending') finishRefund(world, refund, job.failed)
      return
    }
    case 'expire-link':
      expireLink(world, job.linkId)
  }
}
