import { atom } from 'nanostores'
import type { CallResult } from '../api/call-endpoint.ts'
import { createPasskey } from '../api/passkeys.ts'
import {
  addPasskeyEndpoint,
  addTotpEndpoint,
  FACTOR,
  factorsEndpoint,
  removePasskeyEndpoint,
  removeTotpEndpoint,
  renewRecoveryCodesEndpoint,
  startPasskeyEndpoint,
  startTotpEndpoint,
  TotpCode,
} from '../contract/factor.ts'
import { z } from '../contract/zod.ts'
import { sentenceOf } from './failure-text.ts'
import { createForm } from './form.ts'
import { createResource } from './resource.ts'
import type { StoreDeps } from './session.ts'
import type { Confirmed } from './step-up.ts'

interface FactorsDeps extends StoreDeps {
  confirmed: Confirmed
  /** Called after a change: the first factor ends all other sessions. */
  onChanged: () => void
}

interface TotpSetup {
  secret: string
  uri: string
  sealed: string
}

/** The second step of the account: authenticator app, passkeys and recovery codes. */
export function createFactors({ session, toasts, confirmed, onChanged }: FactorsDeps) {
  const factors = createResource(() => session.call(factorsEndpoint, {}))
  const $isBusy = atom(false)
  const $setup = atom<TotpSetup | null>(null)
  /** Recovery codes to show, once. */
  const $codes = atom<readonly string[]>([])

  /** Runs one change at a time and shows why one failed. */
  async function run<Data>(change: () => Promise<CallResult<Data> | null>): Promise<Data | null> {
    if ($isBusy.get()) return null
    $isBusy.set(true)
    const result = await change()
    $isBusy.set(false)
    if (result === null) return null
    if (result.ok) return result.data
    toasts.error(sentenceOf(result))
    return null
  }

  /** Shows a change that was made, with the codes that came with it. */
  async function follow(data: { message?: string | undefined; recoveryCodes?: string[] } | null) {
    if (data === null) return
    if (data.message !== undefined) toasts.success(data.message)
    $codes.set(data.recoveryCodes ?? [])
    await factors.load()
    onChanged()
  }

  const totpForm = createForm({
    schema: z.object({ code: TotpCode }),
    initial: { code: '' },
    send: ({ code }) => {
      const sealed = $setup.get()?.sealed ?? ''
      return confirmed(() => session.call(addTotpEndpoint, { body: { sealed, code } }))
    },
    onSuccess: (data) => {
      $setup.set(null)
      totpForm.reset()
      void follow(data)
    },
  })

  async function makePasskey() {
    const started = await confirmed(() => session.call(startPasskeyEndpoint, {}))
    if (!started.ok) return started
    const { sealed, options } = started.data
    const credential = await createPasskey(options)
    if (credential === null) {
      toasts.error(FACTOR.passkeyNotMade)
      return null
    }
    return confirmed(() => session.call(addPasskeyEndpoint, { body: { sealed, credential } }))
  }

  return {
    $factors: factors.$resource,
    load: factors.load,
    $isBusy,
    $setup,
    $codes,
    totpForm,
    startTotp: async () => {
      const data = await run(() => confirmed(() => session.call(startTotpEndpoint, {})))
      if (data !== null) $setup.set(data)
    },
    cancelTotp: () => {
      $setup.set(null)
      totpForm.reset()
    },
    removeTotp: async () =>
      follow(await run(() => confirmed(() => session.call(removeTotpEndpoint, {})))),
    addPasskey: async () => follow(await run(makePasskey)),
    removePasskey: async (id: string) =>
      follow(
        await run(() => confirmed(() => session.call(removePasskeyEndpoint, { params: { id } }))),
      ),
    renewCodes: async () =>
      follow(await run(() => confirmed(() => session.call(renewRecoveryCodesEndpoint, {})))),
    /** Call when the user has kept the codes. */
    hideCodes: () => {
      $codes.set([])
    },
  }
}
