import { z } from 'zod'
import type { Answer, CallOptions } from '../visitor.ts'
import { createMember } from '../member.ts'

const Ordered = z.object({
  purchaseId: z.string(),
  order: z.object({ id: z.string(), amount: z.number(), currency: z.string() }),
})
const Balance = z.object({
  subscription: z.object({ status: z.string() }),
  tokens: z.object({ used: z.number(), total: z.number() }),
})
const State = z.object({ payment: z.object({ status: z.string(), settlement: z.string() }) })

export interface Buyer {
  userId: string
  token: string
  call: (path: string, options?: CallOptions) => Promise<Answer>
  /** Orders Pro in USD unless told otherwise; throws when that is refused. */
  order: (body?: Record<string, unknown>) => Promise<z.output<typeof Ordered>>
  balance: () => Promise<z.output<typeof Balance>>
  stateOf: (id: string) => Promise<z.output<typeof State>['payment']>
}

/** A buyer with an account and no purchases. A site other than the run's also needs its database. */
export async function newBuyer(siteUrl: string, databaseUrl?: string): Promise<Buyer> {
  const member = await createMember({ siteUrl, ...(databaseUrl ? { databaseUrl } : {}) })
  const { userId, bearer: token, call } = member
  return {
    userId,
    token,
    call,
    order: async (body = {}) => {
      const json = { planType: 'pro', preferredCurrency: 'USD', ...body }
      return Ordered.parse((await call('/api/payment/create-order', { json })).body)
    },
    balance: async () => Balance.parse((await call('/api/subscription/current')).body),
    stateOf: async (id) => State.parse((await call(`/api/payment/status/${id}`)).body).payment,
  }
}
