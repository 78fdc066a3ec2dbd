import { recordUsageSession } from '../../edge-api/domain/tokens/record-usage-session.ts'
import { days, hours, minutes } from '../../edge-api/domain/time.ts'
import { USAGE_MODES } from '../../src/contract/kinds.ts'
import { orderPlan, orderTokens, pay, register, type Shop, spend, type Story } from './demo-shop.ts'

/** How long ago the customer registered: the plan ends in some weeks. */
export const YEAR_DAYS = 340

/** The customer with a year behind them: a plan, two packs of tokens, and sessions in every mode. */
export const YEAR_EMAIL = 'regular@demo.example'

/** Comes a year ago and uses the assistant most days since. */
export async function* useForYear(shop: Shop, passwordHash: string): Story {
  const came = shop.ctx.now - days(YEAR_DAYS)
  let ctx = yield came
  const customer = await register(ctx, {
    first: 'Robin',
    last: 'Whitfield-Achterberg',
    username: 'regular',
    isVerified: true,
    sessionDays: YEAR_DAYS,
    passwordHash,
  })
  const { claims } = customer
  const call = { claims, params: {}, query: {}, idempotencyKey: null }
  ctx = yield came + hours(1)
  await pay(shop, await orderPlan(ctx, customer), customer)
  for (let day = 1; day < YEAR_DAYS; day += day % 7 === 4 ? 3 : 1) {
    const mode = USAGE_MODES[((day * 7) % 11) % USAGE_MODES.length] ?? 'meeting'
    const sessionId = `regular-${String(day)}`
    ctx = yield came + days(day)
    await recordUsageSession(ctx, { ...call, body: { event: 'start', sessionId, mode } })
    for (let use = 0; use < 1 + (day % 2); use++) {
      ctx = yield ctx.now + minutes(9)
      await spend(ctx, customer, {
        amount: 2_500 + ((day * 977 + use * 613) % 8_000),
        sessionId,
        mode,
      })
    }
    const body = { event: 'end' as const, sessionId, succeeded: day % 5 !== 0, secondsSaved: 600 }
    await recordUsageSession(ctx, { ...call, body })
    if (day === 91 || day === 217) {
      ctx = yield ctx.now + hours(1)
      await pay(shop, await orderTokens(ctx, customer), customer)
    }
  }
}
