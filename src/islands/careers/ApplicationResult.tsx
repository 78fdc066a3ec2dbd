import { useStore } from '@nanostores/react'
import { CAREERS } from '../../contract/messages.ts'
import type { createJobApplication } from '../../stores/job-application.ts'
import { humanise } from '../../stores/job-application.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

interface Props {
  application: ReturnType<typeof createJobApplication>
  onClose: () => void
}

/** The banner above the form, or the message in its place once it is sent. */
export function ApplicationResult({ application, onClose }: Props) {
  const { step, message, fieldErrors } = useStore(application.$application, { ssr: 'initial' })
  if (message === null) return null
  const tone = message.includes('successfully') ? 'success' : 'error'
  return (
    <>
      <Notice tone={tone}>
        {fieldErrors.length > 0 && (
          <>
            <p>{CAREERS.fixFollowing}</p>
            <ul>
              {fieldErrors.map(({ path, msg }) => (
                <li key={path + msg}>
                  <FieldFault name={humanise(path)} message={msg} />
                </li>
              ))}
            </ul>
          </>
        )}
        {/* After the list it leads to the fields below instead of saying the same twice. */}
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

/** A message that already begins with the field's name is not given it twice. */
function FieldFault({ name, message }: { name: string; message: string }) {
  const rest = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message
  return (
    <>
      <strong>{name}</strong> {rest}
    </>
  )
}
