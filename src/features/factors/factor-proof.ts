import { atom } from 'nanostores'
import type { CallResult } from '../../api/call-endpoint.ts'
import type { SecondStep } from '../../contract/endpoint.ts'
import { type FactorProof, RecoveryCode, TotpCode } from '../../contract/factor.ts'
import { z } from '../../contract/zod.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { createForm } from '../form/form.ts'
import { answerByPasskey } from './passkey-answer.ts'

export type FactorMethod = SecondStep['methods'][number]

interface FactorProofDeps<Data> {
  methods: readonly FactorMethod[]
  send: (proof: FactorProof) => Promise<CallResult<Data>>
  onAccepted: (data: Data, kind: FactorMethod) => void
}

/** Proving a factor: by passkey, by a code of the authenticator app, or by a recovery code. */
export function createFactorProof<Data>({ methods, send, onAccepted }: FactorProofDeps<Data>) {
  const $method = atom<FactorMethod>(methods[0] ?? 'recovery')
  const $passkey = atom<{ isAsking: boolean; problem: string | null }>({
    isAsking: false,
    problem: null,
  })

  const codeForm = <Kind extends 'totp' | 'recovery'>(kind: Kind, code: z.ZodType<string>) =>
    createForm({
      schema: z.object({ code }),
      initial: { code: '' },
      send: (values) => send({ kind, code: values.code }),
      onSuccess: (data) => onAccepted(data, kind),
    })

  async function usePasskey() {
    if ($passkey.get().isAsking) return
    $passkey.set({ isAsking: true, problem: null })
    const { answer, problem } = await answerByPasskey()
    const result = answer === null ? null : await send({ kind: 'passkey', ...answer })
    const rejection = result === null || result.ok ? null : sentenceOf(result)
    $passkey.set({ isAsking: false, problem: problem ?? rejection })
    if (result?.ok) onAccepted(result.data, 'passkey')
  }

  return {
    methods,
    $method,
    $passkey,
    totp: codeForm('totp', TotpCode),
    recovery: codeForm('recovery', RecoveryCode),
    usePasskey,
  }
}

export type FactorProofStore = ReturnType<typeof createFactorProof<unknown>>
