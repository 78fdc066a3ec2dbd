import { useState } from 'react'
import type { SyntheticEvent } from 'react'
import { type Act, DESK } from '../../contract/desk.ts'
import { deps } from '../../stores/browser.ts'
import { createAct } from '../../stores/desk.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem } from '../form/Problem.tsx'
import { stepUp } from '../settings/step-up.ts'

interface Props {
  label: string
  act: Act
  onDone: () => Promise<unknown>
}

/** A button for something done to an account: asks for the reason, shows what will change, then does it. */
export function ActButton({ label, act, onDone }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    setIsOpen(false)
  }
  return (
    <>
      <Button
        size="small"
        onClick={() => {
          setIsOpen(true)
        }}
      >
        {label}
      </Button>
      <Dialog title={label} isOpen={isOpen} onClose={close}>
        <ActForm label={label} act={act} onClose={close} onDone={onDone} />
      </Dialog>
    </>
  )
}

function ActForm({ label, act, onClose, onDone }: Props & { onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [changes, setChanges] = useState<readonly string[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { preview, carryOut } = createAct({ ...deps, confirmed: stepUp.confirmed }, act)

  const submit = async () => {
    if (isBusy) return
    setIsBusy(true)
    setProblem(null)
    const result = changes === null ? await preview(reason) : await carryOut(reason)
    setIsBusy(false)
    if (!result.ok) setProblem(result.errors[0]?.msg ?? result.message)
    else if (changes === null) setChanges(result.data.changes)
    else {
      deps.toasts.success(result.data.message ?? DESK.done)
      onClose()
      await onDone()
    }
  }
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Problem text={problem} />
      {changes === null ? (
        <TextField id="act-reason" name="reason" label="Why" value={reason} onValue={setReason} />
      ) : (
        <ul className="prose-list">
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isBusy} busyLabel="One moment…">
          {changes === null ? 'Show what changes' : label}
        </Button>
      </div>
    </form>
  )
}
