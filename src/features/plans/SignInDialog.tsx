import { useEffect, useRef, useState } from 'react'
import type { SecondStep as Step } from '../../contract/endpoint.ts'
import { createSignIn } from '../sign-in/sign-in.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { SignInMethods } from '../sign-in/SignInMethods.tsx'

const SecondStep = onDemand('the second step', () => import('../sign-in/SecondStep.tsx'))

interface Props {
  isOpen: boolean
  onClose: () => void
  /** Called when the visitor leaves to create an account, or for Google. */
  onLeave: () => void
  onSignedIn: () => void
}

/** Buy Now while signed out: signing in here continues the purchase. */
export default function SignInDialog({ isOpen, onClose, onLeave, onSignedIn }: Props) {
  const latest = useRef(onSignedIn)
  useEffect(() => {
    latest.current = onSignedIn
  })
  const [step, setStep] = useState<Step | null>(null)
  const [form] = useState(() =>
    createSignIn({ onSignedIn: () => latest.current(), onSecondStep: setStep }),
  )
  return (
    <Dialog title="Sign in to continue" isOpen={isOpen} onClose={onClose}>
      {step === null ? (
        <>
          <p className="muted">
            New here?{' '}
            <a href="/register?next=%2Fsubscription" onClick={onLeave}>
              Create an account
            </a>
          </p>
          <SignInMethods
            signIn={form}
            onSignedIn={() => latest.current()}
            next="/subscription"
            onLeave={onLeave}
          />
        </>
      ) : (
        <SecondStep
          step={step}
          email={form.$form.get().values.email}
          onSignedIn={() => latest.current()}
          onStartAgain={() => {
            setStep(null)
            form.focus('email')
          }}
        />
      )}
    </Dialog>
  )
}
