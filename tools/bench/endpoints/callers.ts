import { z } from 'zod'
import { createMember } from '../../../tests/harness/member.ts'
import type { Place } from './measure.ts'
import type { Caller, Side } from './cases.ts'

/** Enough that none of them meets the limit of an account. */
const CALLERS = 40
/** So many share the sessions of better-auth, since each costs the hash of a password. */
const COOKIES = 8

const Session = z.object({ user: z.object({ email: z.string() }) })

/** Makes accounts with a plan and a session of ours, and sessions of better-auth. */
export async function makeCallers(
  { ours, bare }: Record<Side, Place>,
  databaseUrl: string,
): Promise<Caller[]> {
  const cookies: string[] = []
  for (let nth = 0; nth < COOKIES; nth += 1) cookies.push(await signUp(bare.url, nth))
  const callers: Caller[] = []
  for (let nth = 0; nth < CALLERS; nth += 1) {
    const member = await createMember({ siteUrl: ours.url, databaseUrl, hasPlan: true })
    callers.push({ ...member, cookie: cookies[nth % COOKIES] ?? '' })
  }
  return callers
}

/** Signs up with better-auth and returns the signed cookie. Throws when it does not open the session. */
async function signUp(url: string, nth: number): Promise<string> {
  const email = `person-${nth}@example.test`
  const signedUp = await fetch(new URL('/api/bare/auth/sign-up/email', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Ada Lovelace', email, password: 'Quiet-Otter-42' }),
  })
  if (!signedUp.ok) throw new Error(`better-auth refused: ${await signedUp.text()}`)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const opened = await fetch(new URL('/api/bare/auth/get-session', url), { headers: { cookie } })
  if (Session.parse(await opened.json()).user.email !== email) throw new Error('another session')
  return cookie
}
