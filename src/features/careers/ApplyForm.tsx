import { useStore } from '@nanostores/react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CAREERS } from '../../contract/messages.ts'
import { createJobApplication, humanise } from './job-application.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { ApplicationFields } from './ApplicationFields.tsx'

interface Props {
  job: { id: string; title: string }
}

/** "Apply Now" inside a job's dialog: the overlay, then the form in a second dialog. */
export default withErrorBoundary('the application form', ApplyForm)

function ApplyForm({ job }: Props) {
  const [application] = useState(() => createJobApplication({ jobId: job.id }))
  const opener = useRef<HTMLButtonElement>(null)
  const { step } = useStore(application.$application, { ssr: 'initial' })

  /** Close, Cancel and × close both dialogs. Only Cancel clears the form. */
  const handleClose = () => {
    // The inner dialog closes first, so that each returns the focus to what opened it.
    flushSync(application.close)
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
        <div className="cover" role="status">
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

interface ResultProps {
  application: ReturnType<typeof createJobApplication>
  onClose: () => void
}

/** The banner above the form, or the message that replaces the form after sending. */
function ApplicationResult({ application, onClose }: ResultProps) {
  const { step, message, fieldErrors } = useStore(application.$application, { ssr: 'initial' })
  if (message === null) return null
  const tone = message.includes('successfully') ? 'success' : 'error'
  return (
    <>
      {step === 'sent' && <Picture of="applied" />}
      <Notice tone={tone} takesFocus={fieldErrors.length === 0}>
        {fieldErrors.length > 0 && (
          <>
            <p>{CAREERS.fixFollowing}</p>
            <ul>
              {fieldErrors.map(({ path, msg }) => (
                <FieldFault key={path + msg} name={humanise(path)} message={msg} />
              ))}
            </ul>
          </>
        )}
        <p>{message}</p>
      </Notice>
      {step === 'sent' && (
        <div className="dialog-actions">
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      )}
    </>
  )
}

/** Shows the field's name and a message, without repeating a name with which the message starts. */
function FieldFault({ name, message }: { name: string; message: string }) {
  const rest = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message
  return (
    <li>
      <strong>{name}</strong> {rest}
    </li>
  )
}
