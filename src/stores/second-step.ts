import type { SecondStep } from '../contract/endpoint.ts'
import { secondStepEndpoint } from '../contract/factor.ts'
import { TOAST } from '../contract/messages.ts'
import { createFactorProof } from './factor-proof.ts'
import type { StoreDeps } from './session.ts'

interface SecondStepDeps extends StoreDeps {
  step: SecondStep
  onSignedIn: () => void
}

/** The second step of a sign-in. */
export function createSecondStep(deps: SecondStepDeps) {
  const { environment, session, toasts, step, onSignedIn } = deps
  return createFactorProof({
    environment,
    methods: step.methods,
    send: (proof) => environment.call(secondStepEndpoint, { body: { ticket: step.ticket, proof } }),
    onAccepted: ({ token, user }) => {
      if (!session.adopt(token, user)) return
      toasts.success(TOAST.loggedIn)
      onSignedIn()
    },
  })
}
