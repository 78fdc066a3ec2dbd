import { useState } from 'react'
import type { SyntheticEvent } from 'react'
import type { SavedAnswer, SubmissionAct, SubmissionEntry } from '../../contract/desk-inbox.ts'
import type { CallSuccess } from '../../contract/endpoint.ts'
import { submissionActEndpoint } from '../../contract/desk-inbox.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { stepUp } from '../factors/StepUp.tsx'
import { Problem } from '../form/use-form.tsx'
import { Changes } from './ActButton.tsx'
import { wordsOf } from './DeskNav.tsx'
import { sayDone, usePreview, useSend } from './use-send.ts'

type State = Extract<SubmissionAct, { kind: 'state' }>['state']

interface Props {
  submission: { id: string; email: string; state: State }
  states: readonly State[]
  /** What an answer most often leads to. */
  next: State
  entries: readonly SubmissionEntry[]
  answers: readonly SavedAnswer[]
  onReload: () => Promise<unknown>
}

/** What was written about a submission, and the forms to answer, to note and to change its state. */
export function Handling(props: Props) {
  const { entries } = props
  return (
    <>
      {entries.length > 0 && <Entries entries={entries} />}
      <AnswerForm {...props} />
      <NoteForm {...props} />
      <StateForm key={props.submission.state} {...props} />
    </>
  )
}

const TONES = { note: 'gray', answer: 'green', state: 'gray' } as const

function Entries({ entries }: Pick<Props, 'entries'>) {
  return (
    <>
      <h3>What we wrote</h3>
      <ol className="rows timeline">
        {entries.map(({ id, kind, text, operator, at }) => (
          <li key={id}>
            <div>
              <p>
                <Badge tone={TONES[kind]}>{kind}</Badge> {kind === 'state' && wordsOf(text)}
              </p>
              {kind !== 'state' && <p className="desk-words">{text}</p>}
              <p className="row-note">
                <time dateTime={at}>{formatMinute(at)}</time> · {operator}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}

type Written =
  | { kind: 'note'; text: string }
  | { kind: 'answer'; text: string; state: State }
  | { kind: 'state'; state: State }

/** The call that does something with a submission. When a colleague wrote meanwhile, it fails and shows what they wrote. */
function actOn({ submission, entries, onReload }: Props, written: Written, isPreview = false) {
  return async () => {
    const act = { ...written, submissionId: submission.id, seen: entries.at(-1)?.id ?? null }
    const result = await stepUp.call(submissionActEndpoint, { body: { act, isPreview } })
    if (!result.ok && result.code === 'NOTHING_TO_CHANGE') await onReload()
    return result
  }
}

/** Does something with a submission, without a preview. Answers whether it was done. */
function useWrite(props: Props) {
  const { send, ...state } = useSend()
  const write = async (written: Written): Promise<boolean> => {
    const data = await send(actOn(props, written))
    if (data === null) return false
    sayDone(data)
    await props.onReload()
    return true
  }
  return { ...state, write }
}

function AnswerForm(props: Props) {
  const { submission, states, next, answers, onReload } = props
  const [text, setText] = useState('')
  const [state, setState] = useState(next)
  const { shown, problem, isBusy, submit, back } = usePreview(
    (before: CallSuccess<typeof submissionActEndpoint> | null) =>
      actOn(props, { kind: 'answer', text, state }, before === null),
    () => {
      setText('')
      return onReload()
    },
  )
  const begin = (id: string) => {
    const saved = answers.find((answer) => answer.id === id)
    if (saved !== undefined) setText(text === '' ? saved.text : `${text}\n\n${saved.text}`)
  }
  return (
    <form className="form desk-form" noValidate onSubmit={submitting(submit)}>
      <h3>Answer by mail</h3>
      <Problem text={problem} />
      {shown === null ? (
        <>
          {answers.length > 0 && (
            <SelectField
              id="saved-answer"
              name="savedAnswer"
              label="Begin with a saved answer"
              placeholder="Choose one"
              value=""
              options={answers.map(({ id, title }) => ({ value: id, label: title }))}
              onValue={begin}
            />
          )}
          <TextArea
            id="answer"
            name="answer"
            label="Your answer"
            rows={6}
            value={text}
            onValue={setText}
          />
          <StateField
            id="answer-state"
            label="Set status to"
            // What was answered is not new.
            states={states.filter((one) => one !== 'new')}
            {...{ state, setState }}
          />
        </>
      ) : (
        <>
          <p className="breakable">To: {submission.email}</p>
          <Changes changes={shown.changes} />
          {shown.mail !== null && (
            <blockquote className="desk-mail desk-words">{shown.mail}</blockquote>
          )}
        </>
      )}
      <div className="form-actions">
        <Button type="submit" look="primary" isBusy={isBusy} busyLabel="One moment…">
          {shown === null ? 'Show the mail' : 'Send it'}
        </Button>
        {shown !== null && <Button onClick={back}>Keep editing</Button>}
      </div>
    </form>
  )
}

function NoteForm(props: Props) {
  const { problem, isBusy, write } = useWrite(props)
  const [text, setText] = useState('')
  const save = async () => {
    if (await write({ kind: 'note', text })) setText('')
  }
  return (
    <form className="form desk-form" noValidate onSubmit={submitting(save)}>
      <h3>Note</h3>
      <Problem text={problem} />
      <TextArea
        id="note"
        name="note"
        label="For colleagues"
        hint="No mail is sent. But whoever wrote this can ask for all that we stored about them, notes included."
        rows={2}
        value={text}
        onValue={setText}
      />
      <div className="form-actions">
        <Button type="submit" isBusy={isBusy} busyLabel="One moment…">
          Save note
        </Button>
      </div>
    </form>
  )
}

function StateForm(props: Props) {
  const { submission, states } = props
  const { problem, isBusy, write } = useWrite(props)
  const [state, setState] = useState(submission.state)
  const save = () => write({ kind: 'state', state })
  return (
    <form className="form desk-form" noValidate onSubmit={submitting(save)}>
      <h3>State</h3>
      <Problem text={problem} />
      <StateField id="state" label="Status" {...{ states, state, setState }} />
      <div className="form-actions">
        <Button type="submit" isBusy={isBusy} busyLabel="One moment…">
          Change the state
        </Button>
      </div>
    </form>
  )
}

interface StateFieldProps {
  id: string
  label: string
  states: readonly State[]
  state: State
  setState: (state: State) => void
}

function StateField({ id, label, states, state, setState }: StateFieldProps) {
  return (
    <SelectField
      id={id}
      name={id}
      label={label}
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
