import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { environment } from '../../lib/environment.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { createGoogleSignIn } from './google-sign-in.ts'

/** Signing in with Google on this page. */
export const google = createGoogleSignIn()

interface Props {
  label: string
  /** The path that Google leads back to; the page's own `next` when left out. */
  next?: string | undefined
  /** Called when it is pressed, before the page is left. */
  onLeave?: (() => void) | undefined
}

/** Opens Google when the server offers sign-in with Google; otherwise shows that it is not offered yet. */
export function GoogleButton({ label, next, onLeave }: Props) {
  const { step } = useStore(google.$google, { ssr: 'initial' })
  useEffect(() => environment.onReturn(google.becomeIdle), [])
  return (
    <>
      <Button
        isWide
        isBusy={step !== 'idle' && step !== 'coming-soon'}
        busyLabel={step === 'finishing' ? 'Signing you in with Google…' : 'Going to Google…'}
        onClick={() => {
          onLeave?.()
          void google.leave(next)
        }}
      >
        <GoogleMark /> <span>{label}</span>
      </Button>
      <Dialog title="Coming Soon" isOpen={step === 'coming-soon'} onClose={google.becomeIdle}>
        <p>Google sign-in is coming soon. Until then, please use your email and a password.</p>
        <div className="dialog-actions">
          <Button look="primary" onClick={google.becomeIdle}>
            OK
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function GoogleMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <path
        d="M17.6 9.2c0-.6-.1-1.2-.2-1.7H9v3.3h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h2.9a8.8 8.8 0 0 0 2.7-6.5z"
        fill="#4285f4"
      />
      <path
        d="M9 18a8.6 8.6 0 0 0 5.9-2.2L12 13.6a5.4 5.4 0 0 1-8-2.8H1v2.3A9 9 0 0 0 9 18z"
        fill="#34a853"
      />
      <path d="M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8l3-2.3z" fill="#fbbc05" />
      <path
        d="M9 3.6c1.3 0 2.5.4 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3a5.4 5.4 0 0 1 5-3.7z"
        fill="#ea4335"
      />
    </svg>
  )
}
