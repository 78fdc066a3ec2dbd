import { atom } from 'nanostores'
import { factorsEndpoint, stepUpEndpoint } from '../contract/factor.ts'
import { googleStartEndpoint } from '../contract/google.ts'
import { PasswordTyped } from '../contract/password.ts'
import { z } from '../contract/zod.ts'
import { createFactorProof, type FactorMethod, type FactorProofStore } from './factor-proof.ts'
import { sentenceOf } from './failure-text.ts'
import { createForm } from './form.ts'
import { NEXT_PARAMETER, type StoreDeps } from './session.ts'

type ConfirmationState =
  | { step: 'loading' }
  | { step: 'failed'; problem: string }
  | { step: 'password' }
  | { step: 'factor'; proof: FactorProofStore }
  /** Accounts without password and second step sign in again. */
  | { step: 'google' }

interface ConfirmationDeps extends StoreDeps {
  onConfirmed: () => void
}

/** The dialog that confirms who the user is: by password, or by the second step where the account has one. */
export function createConfirmation({ environment, session, onConfirmed }: ConfirmationDeps) {
  const $confirmation = atom<ConfirmationState>({ step: 'loading' })

  async function start() {
    const result = await session.call(factorsEndpoint, {})
    if (!result.ok) {
      $confirmation.set({ step: 'failed', problem: sentenceOf(result) })
      return
    }
    const { totpSince, passkeys, hasPassword } = result.data
    const methods: FactorMethod[] = [
      ...(passkeys.length > 0 ? (['passkey'] as const) : []),
      ...(totpSince === null ? [] : (['totp'] as const)),
    ]
    if (methods.length > 0) {
      const proof = createFactorProof({
        environment,
        methods: [...methods, 'recovery'],
        send: (body) => session.call(stepUpEndpoint, { body: { proof: body } }),
        onAccepted: onConfirmed,
      })
      $confirmation.set({ step: 'factor', proof })
    } else $confirmation.set({ step: hasPassword ? 'password' : 'google' })
  }

  const password = createForm({
    schema: z.object({ password: PasswordTyped }),
    initial: { password: '' },
    passwordField: 'password',
    send: ({ password }) =>
      session.call(stepUpEndpoint, { body: { proof: { kind: 'password', password } } }),
    onSuccess: onConfirmed,
  })

  return {
    $confirmation,
    start,
    password,
    /** Signs out here and goes to Google, which leads back to this page with a new session. */
    signInAgain: () => {
      const { path, search } = environment.here()
      const next = new URLSearchParams({ [NEXT_PARAMETER]: path + search })
      session.forget()
      environment.navigate(`${googleStartEndpoint.path}?${next}`)
    },
  }
}
