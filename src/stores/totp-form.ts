import { TotpCode } from '../contract/factor.ts'
import { z } from '../contract/zod.ts'
import type { Factors } from './factors.ts'
import { createForm } from './form.ts'

/** The form for the first code of a new authenticator app. It empties on success. */
export function createTotpForm({ addTotp, finishTotp }: Factors) {
  const form = createForm({
    schema: z.object({ code: TotpCode }),
    initial: { code: '' },
    send: ({ code }) => addTotp(code),
    onSuccess: (data) => {
      form.reset()
      finishTotp(data)
    },
  })
  return form
}
