import { randomUUID } from 'node:crypto'
import { type Member, PASSWORD } from '../../../tests/harness/member.ts'
import type { Shot } from '../load.ts'

/** Someone with an account and a plan, and with an app that waits for its approval. */
export interface User extends Member {
  deviceCode: string
  /** Uniform in [0, 1), from a seed of their own. */
  random: () => number
}

export interface Call {
  name: string
  shot: (user: User) => Shot
  /** The status of success. */
  status: number
}

interface Kind extends Omit<Call, 'name'> {
  /** Calls of a user in a month. */
  times: number
}

const get = (path: string): Omit<Kind, 'times'> => ({
  status: 200,
  shot: ({ bearer }) => ({ method: 'GET', path, headers: { authorization: `Bearer ${bearer}` } }),
})

const post = (path: string, body: (user: User) => object): Omit<Kind, 'times'> => ({
  status: 200,
  shot: (user) => ({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${user.bearer}`, 'idempotency-key': randomUUID() },
    body: body(user),
  }),
})

/**
 * A user's month as docs/runbook.md ("What a month costs") has it: 300 uses of tokens, 40 reports of usage sessions, 200
 * of `me` and `current`, 2 sign-ins, and 68 others, which are what the pages of an account ask for when they are opened.
 */
const MONTH: Record<string, Kind> = {
  'use-tokens': { times: 300, ...post('/api/subscription/use-tokens', () => ({ amount: 1 })) },
  me: { times: 150, ...get('/api/auth/me') },
  current: { times: 50, ...get('/api/subscription/current') },
  'usage session': {
    times: 40,
    ...post('/api/usage/sessions', ({ random }) => ({
      event: 'start',
      sessionId: `session-${Math.floor(random() * 1e9)}`,
      mode: 'meeting',
    })),
  },
  'usage chart': { times: 15, ...get('/api/usage?days=30') },
  purchases: { times: 15, ...get('/api/payment/purchases?limit=5') },
  plans: { times: 10, ...get('/api/subscription/plans') },
  notices: { times: 10, ...get('/api/auth/notices') },
  ledger: { times: 8, ...get('/api/usage/ledger?limit=50') },
  'device poll': {
    times: 6,
    // Nobody approves the app.
    status: 400,
    shot: ({ deviceCode }) => ({
      method: 'POST',
      path: '/api/device/token',
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: deviceCode,
      },
    }),
  },
  'sign-in': {
    times: 2,
    status: 200,
    shot: ({ email }) => ({
      method: 'POST',
      path: '/api/auth/login',
      body: { email, password: PASSWORD },
    }),
  },
  order: { times: 2, ...post('/api/payment/create-token-order', () => ({ currency: 'USD' })) },
}

export const CALLS_A_MONTH = Object.values(MONTH).reduce((sum, { times }) => sum + times, 0)

/** What a user does next: each call as often as in a month. */
export function nextCall({ random }: User): Call {
  let left = random() * CALLS_A_MONTH
  for (const [name, { times, shot, status }] of Object.entries(MONTH)) {
    left -= times
    if (left < 0) return { name, shot, status }
  }
  throw new Error('the draw was above the sum of all calls')
}

/** Uniform numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
