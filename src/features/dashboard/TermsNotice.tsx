import { useStore } from '@nanostores/react'
import { sentenceOf } from '../../api/failure-text.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { createAction } from '../resource/action.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

const consent = createAction(async () => {
  const result = await session.call('POST /api/auth/accept-terms', {})
  if (result.ok) session.setUser(result.data.user)
  else toasts.error(sentenceOf(result))
})

/** Asks users to accept new terms that were announced to them 30 days ago. It goes once they are accepted. */
export default function TermsNotice() {
  const isBusy = useStore(consent.$isBusy)
  const accept = (
    <Button size="small" isBusy={isBusy} busyLabel="Accepting…" onClick={() => void consent.run()}>
      Accept
    </Button>
  )
  return (
    <Notice tone="muted" actions={accept}>
      Our <a href="/terms">terms</a> or our <a href="/privacy">privacy page</a> changed. Please read
      and accept them. If you do not agree, <a href="/contact">ask for a refund</a> of the unused
      part of your last purchase, then delete your account in its{' '}
      <a href="/profile?tab=security">settings</a>.
    </Notice>
  )
}
