import type { CallResult } from '../../api/call-endpoint.ts'
import type { SecondStep } from '../../contract/endpoint.ts'
import { TOAST } from '../../contract/messages.ts'
import { LoginInput } from '../../contract/session.ts'
import { environment } from '../../lib/environment.ts'
import { createFailureToast, createForm } from '../form/form.ts'
import { session } from '../session/session.ts'

const BLANK: { email: string; password: string; rememberMe: boolean } = {
  email: '',
  password: '',
  rememberMe: false,
}

interface SignInDeps {
  /** Goes to the dashboard, back to the page the user came from, or on with the purchase. */
  onSignedIn: () => void
  /** Asks for the second step, where the account has one. */
  onSecondStep: (step: SecondStep) => void
}

/** The sign-in form, on /login and in the modal of the plans page. */
export function createSignIn({ onSignedIn, onSecondStep }: SignInDeps) {
  return createForm({
    schema: LoginInput,
    initial: BLANK,
    ...createFailureToast(TOAST.loginFailed),
    send: async (body) => orSecondStep(await environment.call('POST /api/auth/login', { body })),
    onSuccess: (data) => {
      if ('secondStep' in data) {
        onSecondStep(data.secondStep)
        return
      }
      if (session.begin(data)) onSignedIn()
    },
  })
}

/** A rejection that asks for the second step is not a failure. */
function orSecondStep<Data>(
  result: CallResult<Data>,
): CallResult<Data | { secondStep: SecondStep }> {
  if (result.ok || result.secondStep === undefined) return result
  return { ok: true, data: { secondStep: result.secondStep } }
}

export type SignInStore = ReturnType<typeof createSignIn>
