import { z } from 'zod'
import type { Answer, CallOptions } from '../visitor.ts'
import { newVisitor } from '../visitor.ts'

const SignedIn = z.object({ token: z.string(), user: z.object({ id: z.string() }) })
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

/** A freshly registered visitor, with an address of their own. */
export async function newBuyer(siteUrl: string): Promise<Buyer> {
  const visitor = newVisitor(siteUrl)
  const name = `u${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
  const registered = await visitor.call('/api/auth/register', {
    json: {
      username: name,
      email: `${name}@example.test`,
      password: 'Correct-Horse-7',
      confirmPassword: 'Correct-Horse-7',
    },
  })
  const { token, user } = SignedIn.parse(registered.body)
  const call: Buyer['call'] = (path, options = {}) =>
    visitor.call(path, { bearer: token, ...options })
  return {
    userId: user.id,
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
