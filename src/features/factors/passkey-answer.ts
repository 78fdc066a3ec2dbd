import { askPasskey } from '../../api/passkeys.ts'
import { FACTOR } from '../../contract/factor.ts'
import { environment } from '../../lib/environment.ts'
import { sentenceOf } from '../../api/failure-text.ts'

/** Asks for a passkey's signature. Answers what to send to the server, or the sentence that says why there is none. */
export async function answerByPasskey(ask: typeof askPasskey = askPasskey) {
  const asked = await environment.call('GET /api/auth/passkey-challenge', {})
  if (!asked.ok) return { answer: null, problem: sentenceOf(asked) }
  const credential = await ask(asked.data.options)
  if (credential === null) return { answer: null, problem: FACTOR.passkeyNotUsed }
  return { answer: { sealed: asked.data.sealed, credential }, problem: null }
}
