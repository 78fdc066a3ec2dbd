import { atom } from 'nanostores'
import type { CallResult } from '../../api/call-endpoint.ts'
import { silentFailure } from '../../api/call-endpoint.ts'
import { FACTOR } from '../../contract/factor.ts'
import { PAGE } from '../../contract/messages.ts'
import { createAction } from '../resource/action.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { stepUp } from '../factors/step-up.ts'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

interface FactorsDeps {
  /** Called after a change: the first factor ends all other sessions. */
  onChanged: () => void
}

interface TotpSetup {
  secret: string
  uri: string
  sealed: string
}

interface Change {
  message?: string | undefined
  recoveryCodes?: string[]
}

/** The second step of the account: authenticator app, passkeys and recovery codes. */
export function createFactors({ onChanged }: FactorsDeps) {
  const factors = createResource(() => session.call('GET /api/auth/factors', {}))
  const $setup = atom<TotpSetup | null>(null)
  /** Recovery codes to show, once. */
  const $codes = atom<readonly string[]>([])
  const { $isBusy, run } = createAction((act: () => Promise<void>) => act())

  /** Says what was changed, once the user has kept the codes that came with it: on a phone a toast covers their heading. */
  let say: () => void = () => undefined

  /** Shows a change that was made, with the codes that came with it. */
  async function follow({ message, recoveryCodes = [] }: Change) {
    say = () => message !== undefined && toasts.success(message)
    if (recoveryCodes.length === 0) say()
    $codes.set(recoveryCodes)
    await factors.load()
    onChanged()
  }

  const change = (send: () => Promise<CallResult<Change>>) =>
    run(async () => {
      const result = await send()
      if (result.ok) {
        await follow(result.data)
        return
      }
      toasts.error(sentenceOf(result))
      // The answer to an earlier try may be lost: then the list is older than what was rejected.
      if (result.kind === 'refused') await factors.load()
    })

  async function makePasskey() {
    const started = await stepUp.call('POST /api/auth/factors/passkeys/start', {})
    if (!started.ok) return started
    const { sealed, options } = started.data
    // Loads with the first passkey.
    const part = await import('../../api/new-passkey.ts').catch(() => null)
    if (part === null) return { ...silentFailure('refused', 0), message: PAGE.partMissing }
    // Browsers do not say why there is none.
    const credential = await part.createPasskey(options).catch(() => null)
    return credential === null
      ? { ...silentFailure('refused', 0), message: FACTOR.passkeyNotMade }
      : stepUp.call('POST /api/auth/factors/passkeys', { body: { sealed, credential } })
  }

  return {
    factors,
    $isBusy,
    $setup,
    $codes,
    startTotp: () =>
      run(async () => {
        const result = await stepUp.call('POST /api/auth/factors/totp/start', {})
        if (result.ok) $setup.set(result.data)
        else toasts.error(sentenceOf(result))
      }),
    follow,
    cancelTotp: () => $setup.set(null),
    addTotp: (code: string) =>
      stepUp.call('POST /api/auth/factors/totp', {
        body: { sealed: $setup.get()?.sealed ?? '', code },
      }),
    /** Call when the app was added: says so, and shows the codes that came with it. */
    finishTotp: (data: Change) => {
      $setup.set(null)
      void follow(data)
    },
    removeTotp: () => change(() => stepUp.call('DELETE /api/auth/factors/totp', {})),
    addPasskey: () => change(makePasskey),
    removePasskey: (id: string) =>
      change(() => stepUp.call('DELETE /api/auth/factors/passkeys/{id}', { params: { id } })),
    renewCodes: () => change(() => stepUp.call('POST /api/auth/factors/recovery-codes', {})),
    /** Call when the user has kept the codes. */
    hideCodes: () => {
      $codes.set([])
      say()
    },
  }
}

export type Factors = ReturnType<typeof createFactors>
