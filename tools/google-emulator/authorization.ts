import { z } from '../../src/contract/zod.ts'
import { isLoopbackUrl } from '../razorpay-emulator/safety.ts'

export const CLIENT_ID = 'emulator'
/** Published on purpose: the secret works with this emulator only. */
export const CLIENT_SECRET = 'emulator_client_secret_0001'
const CALLBACK_PATH = '/api/auth/google/callback'

/** True for the one redirect URI that is registered. */
function isRegistered(address: string): boolean {
  const url = URL.parse(address)
  return isLoopbackUrl(address) && url?.pathname === CALLBACK_PATH && url.search + url.hash === ''
}

/** An authorization request as Google would take it (OpenID Connect Core §3.1.2.1, RFC 7636 §4.3). */
export const AuthorizationRequest = z.object({
  client_id: z.literal(CLIENT_ID, 'client_id is not known'),
  redirect_uri: z.string().max(300).refine(isRegistered, 'redirect_uri is not registered'),
  response_type: z.literal('code', 'response_type must be code'),
  scope: z
    .string()
    .max(300)
    .refine(
      (scope) => ['openid', 'email'].every((name) => scope.split(' ').includes(name)),
      'scope must hold openid and email',
    ),
  state: z.string().min(16, 'state is too short').max(300),
  nonce: z.string().min(16, 'nonce is too short').max(300),
  code_challenge: z.string().regex(/^[\w-]{43}$/, 'code_challenge is not S256'),
  code_challenge_method: z.literal('S256', 'code_challenge_method must be S256'),
})
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>

/** The redirect back to the site, with an answer. */
export function returnTo(
  { redirect_uri, state }: AuthorizationRequest,
  answer: Record<string, string>,
): string {
  return `${redirect_uri}?${new URLSearchParams({ ...answer, state }).toString()}`
}

/** A test person; `sub` identifies them. */
export const Person = z.object({
  sub: z.string().min(1).max(255),
  name: z.string().max(200).default(''),
  email: z.string().max(254),
  email_verified: z.boolean(),
})
export type Person = z.output<typeof Person>

/** The test persons that the page offers, besides entering another one. */
export const PEOPLE: readonly Person[] = [
  { sub: 'emu-ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true },
  { sub: 'emu-grace', name: 'Grace Hopper', email: 'grace@example.com', email_verified: true },
  { sub: 'emu-new', name: 'Not Verified', email: 'unproven@example.com', email_verified: false },
]

/** Makes `sub` from the address, so that entering the same address twice signs in the same person. */
export function typedPerson(typed: Omit<Person, 'sub'>): Person {
  return { ...typed, sub: `emu:${typed.email.trim().toLowerCase()}` }
}
