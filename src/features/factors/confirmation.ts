import type { AnswerOf } from '../../contract/calls.ts'
import { PasswordTyped } from '../../contract/password.ts'
import { z } from '../../contract/zod.ts'
import { environment } from '../../lib/environment.ts'
import { createFactorProof, type FactorMethod } from './factor-proof.ts'
import { createForm } from '../form/form.ts'
import { createResource } from '../resource/resource.ts'
import { NEXT_PARAMETER, session } from '../session/session.ts'

interface ConfirmationDeps {
  onConfirmed: () => void
}

/** Confirming who the user is: by a factor where the account has one, else by password, else by Google. */
export function createConfirmation({ onConfirmed }: ConfirmationDeps) {
  return {
    factors: createResource(() => session.call('GET /api/auth/factors', {})),
    password: createForm({
      schema: z.object({ password: PasswordTyped }),
      initial: { password: '' },
      passwordField: 'password',
      send: ({ password }) =>
        session.call('POST /api/auth/confirm', { body: { proof: { kind: 'password', password } } }),
      onSuccess: onConfirmed,
    }),
    proveFactor: (methods: readonly FactorMethod[]) =>
      createFactorProof({
        methods,
        send: (proof) => session.call('POST /api/auth/confirm', { body: { proof } }),
        onAccepted: onConfirmed,
      }),
    /** Signs out and goes to Google, which leads back to this page with a new session. */
    signInAgain: () => {
      const { path, search } = environment.here()
      const next = new URLSearchParams({ [NEXT_PARAMETER]: path + search })
      session.forget()
      environment.navigate(`/api/auth/google/start?${next}`)
    },
  }
}

/** The ways to prove a factor that an account has; none before it has set one up. */
export function methodsOf({
  passkeys,
  totpSince,
}: AnswerOf<'GET /api/auth/factors'>): FactorMethod[] {
  const own: FactorMethod[] = []
  if (passkeys.length > 0) own.push('passkey')
  if (totpSince !== null) own.push('totp')
  return own.length === 0 ? [] : [...own, 'recovery']
}
