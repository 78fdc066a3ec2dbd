import { useState } from 'react'
import type { ReactNode, SyntheticEvent } from 'react'
import { type Act, DESK } from '../../contract/desk.ts'
import { deps } from '../../stores/browser.ts'
import { createAct } from '../../stores/desk.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem } from '../form/Problem.tsx'
import { stepUp } from '../settings/step-up.ts'

interface Props {
  label: string
  /** Whose account or which thing it is about, for the dialog's title. */
  of?: string
  /** More about the thing, to read before anything is typed. */
  about?: string
  /** `danger` for what cannot be taken back. */
  look?: 'danger'
  /** What to do, or what is wrong with what was typed into `fields`. */
  act: Act | (() => Act | { problem: string })
  /** What the act needs to know besides the reason. */
  fields?: ReactNode
  onDone: () => Promise<unknown>
}

/** A button for something done to an account: asks for the reason, shows what will change, then does it. */
export function ActButton(props: Props) {
  const { label, of, look } = props
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    setIsOpen(false)
  }
  return (
    <>
      <Button
        size="small"
        look={look}
        onClick={() => {
          setIsOpen(true)
        }}
      >
        {label}
      </Button>
      <Dialog title={of === undefined ? label : `${label}: ${of}`} isOpen={isOpen} onClose={close}>
        <ActForm {...props} onClose={close} />
      </Dialog>
    </>
  )
}

function ActForm(props: Props & { onClose: () => void }) {
  const { label, about, look = 'primary', act, fields, onClose, onDone } = props
  const [reason, setReason] = useState('')
  const [changes, setChanges] = useState<readonly string[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  const submit = async () => {
    if (isBusy) return
    const wanted = typeof act === 'function' ? act() : act
    if ('problem' in wanted) {
      setProblem(wanted.problem)
      return
    }
    setIsBusy(true)
    setProblem(null)
    const { preview, carryOut } = createAct({ ...deps, confirmed: stepUp.confirmed }, wanted)
    const result = changes === null ? await preview(reason) : await carryOut(reason, changes)
    setIsBusy(false)
    if (!result.ok) {
      setProblem(result.errors[0]?.msg ?? result.message)
      // What was shown may be otherwise by now: it is to be looked at again.
      setChanges(null)
    } else if (changes === null) setChanges(result.data.changes)
    else {
      if (result.data.data !== undefined) saveExport(result.data.data)
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
      {about !== undefined && <p className="breakable">{about}</p>}
      {changes === null ? (
        <>
          {fields}
          <TextField id="act-reason" name="reason" label="Why" value={reason} onValue={setReason} />
        </>
      ) : (
        <>
          <ul className="desk-changes">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <p className="breakable">Why: {reason}</p>
        </>
      )}
      <div className="dialog-actions">
        <Button
          onClick={() => {
            if (changes === null) onClose()
            else setChanges(null)
          }}
        >
          {changes === null ? 'Cancel' : 'Back'}
        </Button>
        <Button
          type="submit"
          look={changes === null ? 'primary' : look}
          isBusy={isBusy}
          busyLabel="One moment…"
        >
          {changes === null ? 'Show what changes' : label}
        </Button>
      </div>
    </form>
  )
}

function saveExport(data: object) {
  saveFile('account-data.json', JSON.stringify(data, null, 2), 'application/json')
}
