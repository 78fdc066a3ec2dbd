import { TOAST } from '../../contract/messages.ts'
import { RegisterInput } from '../../contract/session.ts'
import { environment } from '../../lib/environment.ts'
import { createFailureToast, createForm } from '../form/form.ts'
import { pathAfterSignIn, session } from '../session/session.ts'

/** The registration form of /register; success signs in. */
export function createRegistration() {
  return createForm({
    schema: RegisterInput,
    initial: { username: '', email: '', password: '', confirmPassword: '' },
    ...createFailureToast(TOAST.registrationFailed),
    send: (body) => environment.call('POST /api/auth/register', { body }),
    onSuccess: (data) => {
      if (session.begin(data)) environment.navigateInstead(pathAfterSignIn(environment.here()))
    },
  })
}
