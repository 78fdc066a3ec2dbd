import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { SecondStep as Step } from '../../contract/endpoint.ts'
import { loadPart } from '../../lib/load-part.ts'
import { deps } from '../../stores/browser.ts'
import { createSignIn } from '../../stores/sign-in.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SignInForm } from '../sign-in/SignInForm.tsx'

const SecondStep = lazy(() => loadPart(() => import('../sign-in/SecondStep.tsx')))

interface Props {
  isOpen: boolean
  onClose: () => void
  /** Called when the visitor leaves to create an account. */
  onRegister: () => void
  onSignedIn: () => void
}

/** Buy Now while signed out: signing in here continues the purchase. */
export default function SignInDialog({ isOpen, onClose, onRegister, onSignedIn }: Props) {
  const latest = useRef(onSignedIn)
  useEffect(() => {
    latest.current = onSignedIn
  })
  const [step, setStep] = useState<Step | null>(null)
  const [form] = useState(() =>
    createSignIn({
      ...deps,
      onSignedIn: () => {
        latest.current()
      },
      onSecondStep: setStep,
    }),
  )
  if (step !== null) {
    return (
      <Dialog title="Sign in to continue" isOpen={isOpen} onClose={onClose}>
        <Suspense>
          <SecondStep
            step={step}
            onSignedIn={onSignedIn}
            onStartAgain={() => {
              setStep(null)
            }}
          />
        </Suspense>
      </Dialog>
    )
  }
  return (
    <Dialog title="Sign in to continue" isOpen={isOpen} onClose={onClose}>
      <SignInForm form={form} />
      <p className="narrow-foot">
        New here?{' '}
        <a href="/register?next=%2Fsubscription" onClick={onRegister}>
          Create an account
        </a>
      </p>
    </Dialog>
  )
}
