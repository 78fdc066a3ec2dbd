import { useStore } from '@nanostores/react'
import { useRef, useState } from 'react'
import { environment } from '../../stores/browser.ts'
import { createJobApplication } from '../../stores/job-application.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { ApplicationFields } from './ApplicationFields.tsx'
import { ApplicationResult } from './ApplicationResult.tsx'

interface Props {
  job: { id: string; title: string }
}

/** "Apply Now" inside a job's dialog: the overlay, then the form in a dialog of its own. */
export default function ApplyForm({ job }: Props) {
  return (
    <ErrorBoundary of="the application form">
      <Apply job={job} />
    </ErrorBoundary>
  )
}

function Apply({ job }: Props) {
  const [application] = useState(() => createJobApplication({ environment, jobId: job.id }))
  const opener = useRef<HTMLButtonElement>(null)
  const { step } = useStore(application.$application, { ssr: 'initial' })

  /** Close, Cancel and × end both dialogs: no job is selected any more. Only Cancel forgets what was typed. */
  const handleClose = () => {
    application.close()
    opener.current?.closest('dialog')?.close()
  }
  const handleCancel = () => {
    application.reset()
    handleClose()
  }

  return (
    <>
      <Button
        ref={opener}
        look="primary"
        isBusy={step === 'preparing'}
        onClick={application.prepare}
      >
        Apply Now
      </Button>
      {step === 'preparing' && (
        <div className="overlay" role="status">
          <span className="spinner" aria-hidden="true" />
          Preparing application form...
        </div>
      )}
      <Dialog
        title={`Apply for ${job.title}`}
        isOpen={step === 'filling' || step === 'sent'}
        isWide
        onClose={handleClose}
      >
        <ApplicationResult application={application} onClose={handleClose} />
        {step !== 'sent' && <ApplicationFields application={application} onCancel={handleCancel} />}
      </Dialog>
    </>
  )
}
