import { razorpayGateway } from '../../../edge-api/gateways/razorpay/razorpay-gateway.ts'
import { resolveRazorpay } from '../../../edge-api/gateways/razorpay/resolve-razorpay.ts'
import type { PaymentGateway } from '../../../edge-api/domain/ports/payments.ts'
import { startEmulator, startSqld, testSecrets } from '../services.ts'
import { createAccount } from './account.ts'
import { createPurchase, outcomeOf } from './purchase.ts'
import { controlOf, type RazorpayControl } from './razorpay.ts'
import { createWorld, type World } from './world.ts'

/** The real gateway, the emulator behind it, and a separate database, because jobs work on all rows. */
export interface JobBench {
  razorpay: RazorpayControl
  gateway: PaymentGateway
  /** What the gateway itself alerts of. */
  alerts: World['alerts']
  emulatorUrl: string
  databaseUrl: string
  /** A purchase that is due for a check, with an order at the emulator that was not reported to us. */
  openOrder: (world?: World) => ReturnType<typeof openOrderAt>
  world: () => World
  stop: () => Promise<void>
}

export async function startJobBench(): Promise<JobBench> {
  const [sqld, emulator] = await Promise.all([
    startSqld(),
    startEmulator({ webhookUrl: 'http://127.0.0.1:9/none' }),
  ])
  const settings = resolveRazorpay({
    ENVIRONMENT: 'test',
    ...testSecrets,
    RAZORPAY_BASE_URL: emulator.url,
    RAZORPAY_CHECKOUT_URL: `${emulator.url}/checkout/v1/checkout.js`,
  })
  const sleep = () => Promise.resolve()
  const alerts: World['alerts'] = []
  const gateway = razorpayGateway(
    settings,
    { now: Date.now, sleep, jitter: () => 0, timeoutMs: 2_000 },
    { alert: (event, fields = {}) => alerts.push({ event, fields }) },
  )
  const world = () => createWorld({ payments: gateway, databaseUrl: sqld.url })
  return {
    razorpay: controlOf(emulator.url),
    gateway,
    alerts,
    emulatorUrl: emulator.url,
    databaseUrl: sqld.url,
    openOrder: (at = world()) => openOrderAt(at, gateway),
    world,
    stop: async () => {
      await Promise.all([emulator.stop(), sqld.stop()])
    },
  }
}

async function openOrderAt(world: World, gateway: PaymentGateway) {
  const { userId } = await createAccount(world.ctx())
  const bare = { razorpayOrderId: null, status: 'creating' as const, nextCheckAt: world.now() }
  const draft = await createPurchase(world.ctx(), userId, bare)
  const { amountMinor, currency } = draft
  const orderId = await gateway.createOrder({ purchaseId: draft.id, amountMinor, currency })
  return { world, draft, orderId, outcome: () => outcomeOf(world.ctx(), draft) }
}
