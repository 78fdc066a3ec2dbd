import type { Context } from './context.ts'
import { toBase64Url } from './encoding.ts'

/**
 * A hash of a text that can be guessed, such as an address: without our secrets nobody can try guesses. It changes when
 * the first secret is replaced.
 */
export async function keyedHash({ keys }: Pick<Context, 'keys'>, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = new Uint8Array(keys[0].secret)
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return toBase64Url(new Uint8Array(signature))
}
