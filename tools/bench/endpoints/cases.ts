import { type Member, PASSWORD } from '../../../tests/harness/member.ts'
import type { Shot } from '../load.ts'

/** Whose Worker answers: ours, or that of the yardsticks. */
export type Side = 'ours' | 'bare'

/** A member of ours with a session of better-auth besides. */
export interface Caller extends Member {
  /** The signed cookie of that session. */
  cookie: string
}

export interface Case {
  side: Side
  shot: (caller: Caller) => Shot
  /** The yardstick, and the least share of its requests a second that is aimed at. */
  goal?: readonly [yardstick: string, share: number]
  /** A call that does the same elsewhere, without a goal. */
  beside?: string
  connections?: number
}

const asMember = ({ bearer }: Member) => ({ authorization: `Bearer ${bearer}` })

/** What is measured, each yardstick before the calls beside it. */
export const CASES: Record<string, Case> = {
  'bare constant': { side: 'bare', shot: () => ({ method: 'GET', path: '/api/bare/constant' }) },
  'health/live': {
    side: 'ours',
    shot: () => ({ method: 'GET', path: '/api/health/live' }),
    goal: ['bare constant', 0.5],
  },
  plans: {
    side: 'ours',
    shot: () => ({ method: 'GET', path: '/api/subscription/plans' }),
    goal: ['bare constant', 0.5],
  },
  'bare read': {
    side: 'bare',
    shot: ({ userId }) => ({ method: 'GET', path: `/api/bare/read?id=${userId}` }),
  },
  'get-session': {
    side: 'bare',
    shot: ({ cookie }) => ({
      method: 'GET',
      path: '/api/bare/auth/get-session',
      headers: { cookie },
    }),
  },
  me: {
    side: 'ours',
    shot: (member) => ({ method: 'GET', path: '/api/auth/me', headers: asMember(member) }),
    goal: ['bare read', 0.9],
    beside: 'get-session',
  },
  current: {
    side: 'ours',
    shot: (member) => ({
      method: 'GET',
      path: '/api/subscription/current',
      headers: asMember(member),
    }),
    goal: ['bare read', 0.9],
  },
  'bare write': { side: 'bare', shot: () => ({ method: 'POST', path: '/api/bare/write' }) },
  'use-tokens': {
    side: 'ours',
    shot: (member) => ({
      method: 'POST',
      path: '/api/subscription/use-tokens',
      headers: asMember(member),
      body: { amount: 1 },
    }),
    goal: ['bare write', 0.75],
  },
  'sign-in': {
    side: 'ours',
    connections: 2,
    shot: ({ email }) => ({
      method: 'POST',
      path: '/api/auth/login',
      body: { email, password: PASSWORD },
    }),
  },
}

/** These cases and their yardsticks; all when none is named. */
export function casesNamed(names: readonly string[]): [string, Case][] {
  return Object.entries(CASES).filter(([name]) => isWanted(name, names))
}

/** Whether a case is named, or stands beside one that is. */
function isWanted(name: string, names: readonly string[]): boolean {
  if (names.length === 0 || names.includes(name)) return true
  return Object.entries(CASES).some(
    ([other, { goal, beside }]) => names.includes(other) && [goal?.[0], beside].includes(name),
  )
}
