import { environment, session, toasts } from '../../stores/browser.ts'
import { createRegistration } from '../../stores/registration.ts'
import { HOME, NEXT_PARAMETER } from '../../stores/session-state.ts'
import { safeNext } from '../../lib/safe-next.ts'

export const registration = createRegistration({
  environment,
  session,
  toasts,
  onRegistered: () => {
    const next = new URLSearchParams(environment.here().search).get(NEXT_PARAMETER)
    environment.navigate(safeNext(next) ?? HOME)
  },
})
