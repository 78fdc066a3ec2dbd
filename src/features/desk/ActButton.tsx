import { useRef, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { Act, type ActField } from '../../contract/desk-acts.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { keepFocus } from '../../ui/take-focus.ts'
import { TextField } from '../../ui/TextField.tsx'
import { stepUp } from '../factors/step-up.ts'
import { Problem } from '../form/use-form.tsx'
import { Changes, usePreview } from './use-send.tsx'

interface Props {
  label: string
  /** Whose account or which thing it is about, for the dialog's title. */
  of?: string
  /** More about the thing, to read before anything is typed. */
  about?: string
  /** `danger` for what cannot be taken back. */
  look?: 'danger'
  field?: ActField
  /** The act, given the text in `field`. */
  act: (typed: string) => Act
  onDone: () => unknown
}

/** A button for something that an operator does: asks for the reason, shows what will change, then does it. */
export function ActButton(props: Props) {
  const { label, of, look } = props
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setIsOpen(false)
  const finish = async () => {
    const panel = button.current?.closest('section')
    close()
    await props.onDone()
    // A completed act may have lost its button.
    requestAnimationFrame(() => keepFocus(panel))
  }
  return (
    <>
      <Button size="small" look={look} ref={button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog title={of === undefined ? label : `${label}: ${of}`} isOpen={isOpen} onClose={close}>
        <ActForm {...props} onClose={close} onDone={finish} />
      </Dialog>
    </>
  )
}

function ActForm(props: Props & { onClose: () => void }) {
  const { label, about, look = 'primary', field, act, onClose, onDone } = props
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const wanted = { act: act(typed), typed, reason }
  const { shown, problem, setProblem, isBusy, submit, back } = usePreview(
    wanted,
    (chosen: typeof wanted, before: { changes: string[]; data?: object | undefined } | null) =>
      () =>
        stepUp.call('POST /api/desk/acts', {
          body: {
            act: chosen.act,
            reason: chosen.reason,
            ...(before === null
              ? { isPreview: true }
              : { isPreview: false, shown: before.changes }),
          },
        }),
    ({ data }) => {
      if (data !== undefined) saveExport(data)
      return onDone()
    },
  )
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    // The call would send an unreadable number as null, which means something else.
    const wrong = Act.safeParse((shown?.wanted ?? wanted).act).error?.issues[0]
    if (wrong === undefined) void submit()
    else setProblem(wrong.message)
  }
  return (
    <form className="form" noValidate onSubmit={handleSubmit}>
      <Problem text={problem} />
      {about !== undefined && <p className="breakable">{about}</p>}
      {shown === null ? (
        <>
          {field !== undefined && (
            <TextField
              id="act-field"
              name="field"
              label={field.label}
              type={field.type}
              hint={field.hint?.(typed)}
              isOptional={field.isOptional}
              isVerbatim
              value={typed}
              onValue={setTyped}
            />
          )}
          <TextField
            id="act-reason"
            name="reason"
            label="Reason"
            hint="Kept permanently, even after a deletion: no names, no addresses."
            value={reason}
            onValue={setReason}
          />
        </>
      ) : (
        <>
          <Changes changes={shown.data.changes} />
          {field !== undefined && shown.wanted.typed !== '' && (
            <p className="breakable">
              {field.label}: {shown.wanted.typed}
            </p>
          )}
          <p className="breakable">Reason: {shown.wanted.reason}</p>
        </>
      )}
      <div className="dialog-actions">
        <Button isBusy={isBusy} onClick={shown === null ? onClose : back}>
          {shown === null ? 'Cancel' : 'Back'}
        </Button>
        <Button
          type="submit"
          look={shown === null ? 'primary' : look}
          isBusy={isBusy}
          busyLabel="One moment…"
        >
          {shown === null ? 'Preview changes' : label}
        </Button>
      </div>
    </form>
  )
}

function saveExport(data: object) {
  saveFile('account-data.json', JSON.stringify(data, null, 2), 'application/json')
}
