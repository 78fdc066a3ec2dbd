import { TOAST } from '../contract/messages.ts'
import { RegisterInput } from '../contract/session.ts'
import { createFailureToast, createForm } from './form.ts'
import type { StoreDeps } from './session.ts'
import { pathAfterSignIn } from './session.ts'

/** The registration form of /register; success signs in. */
export function createRegistration({ environment, session, toasts }: StoreDeps) {
  return createForm({
    schema: RegisterInput,
    initial: { username: '', email: '', password: '', confirmPassword: '' },
    ...createFailureToast(toasts, TOAST.registrationFailed),
    send: (body) => environment.call('POST /api/auth/register', { body }),
    onSuccess: ({ token, user }) => {
      if (!session.adopt(token, user)) return
      toasts.success(TOAST.registered)
      environment.navigate(pathAfterSignIn(environment.here()))
    },
  })
}
