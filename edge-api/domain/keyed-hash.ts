import { importedKey } from './account/bearer.ts'
import type { Context } from './context.ts'
import { toBase64Url } from './encoding.ts'

/**
 * A hash of a text that can be guessed, such as an address: without our secrets nobody can try guesses. It changes when
 * the first secret is replaced.
 */
export async function keyedHash({ keys }: Pick<Context, 'keys'>, text: string): Promise<string> {
  const key = await importedKey(keys[0])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return toBase64Url(new Uint8Array(signature))
}
