import { beforeEach } from 'vitest'
import type { PaymentGateway } from '../../../edge-api/domain/ports/payments.ts'
import { createAccount } from './account.ts'
import { emptyWorld, type EmptyWorld } from './empty-world.ts'
import { openProvider } from './history-provider.ts'
import { createPurchase, outcomeOf } from './purchase.ts'
import { controlOf, type RazorpayControl } from './razorpay.ts'
import { START_MS, type World } from './world.ts'

/** The real gateway with the emulator behind it, in an empty world. Webhooks arrive nowhere, and both share one clock. */
export interface JobBench {
  razorpay: RazorpayControl
  gateway: PaymentGateway
  world: EmptyWorld
  /** Requests a page or a call of the emulator. */
  fetch: typeof fetch
  /** A purchase that is due for a check, with an order at the emulator that was not reported to us. */
  openOrder: () => ReturnType<typeof openOrderAt>
}

/** As `useJobBench`, for one test. */
export async function openJobBench(): Promise<JobBench> {
  const clock = { now: START_MS }
  const provider = openProvider({
    now: () => clock.now,
    moveTo: (ms) => {
      clock.now = Math.max(clock.now, ms)
    },
    wake: () => () => undefined,
  })
  const { gateway } = provider
  const world = await emptyWorld({ payments: gateway, clock })
  return {
    razorpay: controlOf(provider.address, provider.fetch),
    gateway,
    world,
    fetch: provider.fetch,
    openOrder: () => openOrderAt(world, gateway),
  }
}

/** Opens an empty world and an emulator before each test of a file. */
export function useJobBench(): JobBench {
  let bench: JobBench
  beforeEach(async () => {
    bench = await openJobBench()
  })
  return {
    get razorpay() {
      return bench.razorpay
    },
    get gateway() {
      return bench.gateway
    },
    get world() {
      return bench.world
    },
    fetch: (input, init) => bench.fetch(input, init),
    openOrder: () => bench.openOrder(),
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
