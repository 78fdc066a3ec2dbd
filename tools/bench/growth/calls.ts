import { createMember, type Member } from '../../../tests/harness/member.ts'
import type { Site } from '../../../tests/harness/services.ts'
import { newAddress } from '../../../tests/harness/visitor.ts'
import { LaunchError } from '../../launcher/bootstrap/launch-error.mjs'
import { seedHistory, throughServer } from '../seed.ts'

export interface Call {
  path: string
  method?: string
  body?: (member: Caller) => object
  /** The status of success; 200 when left out. */
  status?: number
}

export interface Caller extends Member {
  siteUrl: string
  deviceCode: string
}

/** What clients ask most, of what an account may ask often. Sign-in takes as long as one password hash. */
export const CALLS: Record<string, Call> = {
  live: { path: '/api/health/live' },
  health: { path: '/api/health' },
  plans: { path: '/api/subscription/plans' },
  me: { path: '/api/auth/me' },
  current: { path: '/api/subscription/current' },
  'use-tokens': { path: '/api/subscription/use-tokens', body: () => ({ amount: 1 }) },
  'usage chart': { path: '/api/usage?days=90' },
  ledger: { path: '/api/usage/ledger' },
  'usage session': {
    path: '/api/usage/sessions',
    body: () => ({ event: 'start', sessionId: 'session-past-1', mode: 'meeting' }),
  },
  notifications: { path: '/api/auth/notices' },
  'sign-in history': { path: '/api/auth/sign-ins' },
  sessions: { path: '/api/auth/sessions' },
  purchases: { path: '/api/payment/purchases' },
  'device poll': {
    path: '/api/device/token',
    body: ({ deviceCode }) => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: deviceCode,
    }),
    status: 400,
  },
}

/** Someone with a plan and a past, and with an app that waits for its approval. */
export async function makeCaller(
  site: Site,
  past: { uses: number; others: number },
): Promise<Caller> {
  const { url } = site.sqld
  const member = await createMember({
    siteUrl: site.worker.url,
    databaseUrl: url,
    hasPlan: true,
  })
  await seedHistory(
    { run: throughServer(url), now: Date.now() },
    { userId: member.userId, ...past },
  )
  const { body } = await member.call('/api/device/code', { json: {} })
  return { ...member, siteUrl: site.worker.url, deviceCode: String(Object(body).device_code) }
}

/** Sends one call and returns how long the answer took, in milliseconds. Throws when it is not the one expected. */
export async function send(siteUrl: string, call: Call, caller: Caller): Promise<number> {
  const { path, status = 200, body } = call
  const began = performance.now()
  const answer = await fetch(new URL(path, siteUrl), {
    method: call.method ?? (body ? 'POST' : 'GET'),
    headers: {
      authorization: `Bearer ${caller.bearer}`,
      'cf-connecting-ip': newAddress(),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body(caller)) } : {}),
  })
  const text = await answer.text()
  if (answer.status !== status) {
    throw new LaunchError(`${path} answered ${answer.status}: ${text.slice(0, 200)}`)
  }
  return performance.now() - began
}
