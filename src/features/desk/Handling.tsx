import { useId, useState } from 'react'
import type { SyntheticEvent } from 'react'
import type { SavedAnswer, SubmissionAct, SubmissionEntry } from '../../contract/desk-inbox.ts'
import type { AnswerOf } from '../../contract/calls.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { TextArea } from '../../ui/TextArea.tsx'
import { stepUp } from '../factors/step-up.ts'
import { Problem } from '../form/use-form.tsx'
import { wordsOf } from './links.tsx'
import { Changes, sayDone, usePreview, useSend } from './use-send.tsx'

type State = Extract<SubmissionAct, { kind: 'state' }>['state']

interface Props {
  submission: { id: string; email: string; state: State }
  states: readonly State[]
  /** The state that most often follows an answer. */
  next: State
  /** Nothing is left to do, so the form opens on demand. */
  isOver: boolean
  /** What the sender wrote; left out where the page shows it as fields. */
  opening?: { text: string; at: string }
  entries: readonly SubmissionEntry[]
  answers: readonly SavedAnswer[]
  onReload: () => Promise<unknown>
  /** After something was sent or saved, and is shown. */
  onDone?: () => unknown
}

/** The conversation about a submission, and the one form to go on with it. */
export function Handling(props: Props) {
  return (
    <>
      <Thread {...props} />
      <Composer {...props} />
    </>
  )
}

/** What the sender wrote, then what we wrote, oldest first. */
function Thread({ submission, opening, entries }: Props) {
  if (opening === undefined && entries.length === 0) return null
  return (
    <ol className="thread" aria-label="Conversation">
      {opening !== undefined && (
        <li>
          <p className="row-note">
            {submission.email} · <time dateTime={opening.at}>{formatMinute(opening.at)}</time>
          </p>
          <p className="desk-words">{opening.text}</p>
        </li>
      )}
      {entries.map(({ id, kind, text, operator, at, isUndelivered }) => (
        <li key={id} data-kind={kind}>
          <p className="row-note">
            {kind === 'state' ? `set to ${wordsOf(text)} by ${operator}` : `${kind} by ${operator}`}{' '}
            · <time dateTime={at}>{formatMinute(at)}</time>{' '}
            {isUndelivered && <Badge tone="red">not delivered</Badge>}
          </p>
          {kind !== 'state' && <p className="desk-words">{text}</p>}
        </li>
      ))}
    </ol>
  )
}

type Written =
  | { kind: 'note'; text: string }
  | { kind: 'answer'; text: string; state: State }
  | { kind: 'state'; state: State }
  | { kind: 'delete' }

/**
 * The call that acts on a submission, and shows the result. When a colleague wrote meanwhile, it fails and shows what they
 * wrote. It stays busy until that is shown, so that nobody acts before they see it.
 */
export function actOn(
  {
    submission,
    entries,
    onReload,
  }: Pick<Props, 'entries' | 'onReload'> & { submission: { id: string } },
  written: Written,
  isPreview = false,
) {
  return async () => {
    const act = { ...written, submissionId: submission.id, seen: entries.at(-1)?.id ?? null }
    const result = await stepUp.call('POST /api/desk/submissions', { body: { act, isPreview } })
    // What was deleted cannot be loaded again.
    if (result.ok ? !isPreview && written.kind !== 'delete' : result.code === 'NOTHING_TO_CHANGE')
      await onReload()
    return result
  }
}

const WAYS = [
  { value: 'answer', label: 'Answer by email' },
  { value: 'note', label: 'Note' },
  { value: 'state', label: 'Status only' },
] as const

type Way = (typeof WAYS)[number]['value']

/** The form, or the button that opens it. */
function Composer(props: Props) {
  const [view, setView] = useState<'open' | 'opened' | 'closed' | 'sent'>(
    props.isOver ? 'closed' : 'open',
  )
  if (view === 'closed' || view === 'sent') {
    return (
      // The button that had the focus went with the form.
      <Button ref={view === 'sent' ? takeFocus : null} onClick={() => setView('opened')}>
        Answer or note
      </Button>
    )
  }
  const handleDone = () => {
    setView('sent')
    return props.onDone?.()
  }
  return <Form {...props} isWanted={view === 'opened'} onDone={handleDone} />
}

const focusWords = (form: HTMLFormElement | null) => form?.querySelector('textarea')?.focus()

/** One form to answer, to note and to change the status. The text stays when the operator switches between them. */
function Form(props: Props & { isWanted: boolean; onDone: () => unknown }) {
  const { submission, states, next, answers, isWanted, onDone } = props
  const id = useId()
  const [way, setWay] = useState<Way>('answer')
  const [text, setText] = useState('')
  const [state, setState] = useState(next)
  const preview = usePreview(
    { kind: 'answer' as const, text, state },
    (written, before: AnswerOf<'POST /api/desk/submissions'> | null) =>
      actOn(props, written, before === null),
    onDone,
  )
  const writing = useSend()
  const write = async (written: Written) => {
    const data = await writing.send(actOn(props, written))
    if (data === null) return
    sayDone(data)
    if (written.kind === 'note') setText((now) => (now === written.text ? '' : now))
    else await onDone()
  }
  const submit = {
    answer: preview.submit,
    note: () => write({ kind: 'note', text }),
    state: () => write({ kind: 'state', state }),
  }[way]
  const begin = (id: string) => {
    const saved = answers.find((answer) => answer.id === id)
    if (saved !== undefined) setText(text === '' ? saved.text : `${text}\n\n${saved.text}`)
  }
  const { problem, isBusy } = way === 'answer' ? preview : writing
  const { shown } = preview
  return (
    <form
      ref={isWanted ? focusWords : null}
      className="form desk-form"
      noValidate
      onSubmit={submitting(submit)}
    >
      <Problem text={problem} />
      {shown === null ? (
        <>
          <Segments
            legend="What to write"
            name="way"
            value={way}
            options={WAYS}
            // The preview of an answer that is under way must not come to a note.
            onValue={(chosen) => setWay(isBusy ? way : chosen)}
          />
          {way !== 'state' && (
            <TextArea
              id={`${id}words`}
              name="words"
              label={way === 'answer' ? 'Your answer' : 'For colleagues'}
              hint={way === 'note' ? NOTE_HINT : undefined}
              rows={6}
              value={text}
              onValue={setText}
            />
          )}
          <div className="columns desk-choices">
            {way === 'answer' && answers.length > 0 && (
              <SelectField
                id={`${id}saved`}
                name="savedAnswer"
                label="Add a saved answer"
                placeholder="Choose one"
                value=""
                options={answers.map(({ id, title }) => ({ value: id, label: title }))}
                onValue={begin}
              />
            )}
            {way !== 'note' && (
              <StateField
                // What was answered is not new.
                states={way === 'answer' ? states.filter((one) => one !== 'new') : states}
                {...{ id: `${id}state`, state, setState }}
              />
            )}
          </div>
        </>
      ) : (
        <>
          <p className="breakable">To: {submission.email}</p>
          <Changes changes={shown.data.changes} />
          {shown.data.mail !== null && (
            <blockquote className="desk-mail desk-words">{shown.data.mail}</blockquote>
          )}
        </>
      )}
      <div className="row form-actions">
        <Button type="submit" look="primary" isBusy={isBusy} busyLabel="One moment…">
          {shown === null ? LABELS[way] : 'Send it'}
        </Button>
        {shown !== null && (
          <Button
            onClick={({ currentTarget: { form } }) => {
              preview.back()
              requestAnimationFrame(() => focusWords(form))
            }}
          >
            Keep editing
          </Button>
        )}
      </div>
    </form>
  )
}

const LABELS = { answer: 'Preview the email', note: 'Save note', state: 'Set the status' }

const NOTE_HINT =
  'No email is sent. But the sender can ask for a copy of what we store about them, notes included.'

interface StateFieldProps {
  id: string
  states: readonly State[]
  state: State
  setState: (state: State) => void
}

function StateField({ id, states, state, setState }: StateFieldProps) {
  return (
    <SelectField
      id={id}
      name="state"
      label="Set status to"
      value={state}
      options={states.map((value) => ({ value, label: wordsOf(value) }))}
      onValue={(value) => setState(states.find((one) => one === value) ?? state)}
    />
  )
}

const submitting = (submit: () => Promise<unknown>) => (event: SyntheticEvent) => {
  event.preventDefault()
  void submit()
}
