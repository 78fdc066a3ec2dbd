import { useState } from 'react'
import type { SyntheticEvent } from 'react'
import type { SavedAnswer, SubmissionAct, SubmissionEntry } from '../../contract/desk-inbox.ts'
import { INBOX } from '../../contract/desk-inbox.ts'
import { formatMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createSubmissionActs } from '../../stores/desk-inbox.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { Problem } from '../form/Problem.tsx'
import { stepUp } from '../settings/step-up.ts'
import { wordsOf } from './DeskNav.tsx'

type State = Extract<SubmissionAct, { kind: 'state' }>['state']

interface Props {
  submission: { id: string; email: string; state: State }
  states: readonly State[]
  /** What an answer most often leads to. */
  next: State
  entries: readonly SubmissionEntry[]
  answers: readonly SavedAnswer[]
  onDone: () => Promise<unknown>
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

/** Sends acts one after the other, with the problem of the last one. */
function useActs({ submission, entries, onDone }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { preview, carryOut } = createSubmissionActs({ ...deps, confirmed: stepUp.confirmed })
  const base = { submissionId: submission.id, seen: entries.at(-1)?.id ?? null }

  const send = async (act: SubmissionAct, isPreview: boolean) => {
    if (isBusy) return null
    setIsBusy(true)
    setProblem(null)
    const result = await (isPreview ? preview(act) : carryOut(act))
    setIsBusy(false)
    if (!result.ok) {
      setProblem(result.errors[0]?.msg ?? result.message)
      return null
    }
    if (!isPreview) {
      deps.toasts.success(result.data.message ?? INBOX.done)
      await onDone()
    }
    return result.data
  }
  return { base, problem, isBusy, send }
}

function AnswerForm(props: Props) {
  const { states, next, answers } = props
  const { base, problem, isBusy, send } = useActs(props)
  const [text, setText] = useState('')
  const [state, setState] = useState<State | null>(next)
  const [isUndecided, setIsUndecided] = useState(false)
  const [shown, setShown] = useState<{ changes: string[]; mail: string | null } | null>(null)

  const submit = async () => {
    setIsUndecided(state === null)
    if (state === null) return
    const act = { ...base, kind: 'answer', text, state } as const
    if (shown === null) setShown(await send(act, true))
    else if ((await send(act, false)) !== null) {
      setText('')
      setShown(null)
    }
  }
  return (
    <form className="form desk-form" noValidate onSubmit={handled(submit)}>
      <h3>Answer by mail</h3>
      <Problem text={isUndecided ? INBOX.stateRequired : problem} />
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
              onValue={(id) => {
                const saved = answers.find((answer) => answer.id === id)
                if (saved === undefined) return
                setText(text === '' ? saved.text : `${text}\n\n${saved.text}`)
                // It may decline as well as invite.
                setState(null)
              }}
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
            label="Then it is"
            // What was answered is not new.
            states={states.filter((one) => one !== 'new')}
            {...{ state, setState }}
          />
        </>
      ) : (
        <Preview to={props.submission.email} {...shown} />
      )}
      <div className="form-actions">
        <Button type="submit" look="primary" isBusy={isBusy} busyLabel="One moment…">
          {shown === null ? 'Show the mail' : 'Send it'}
        </Button>
        {shown !== null && (
          <Button
            onClick={() => {
              setShown(null)
            }}
          >
            Write on
          </Button>
        )}
      </div>
    </form>
  )
}

interface PreviewProps {
  to: string
  changes: readonly string[]
  mail: string | null
}

function Preview({ to, changes, mail }: PreviewProps) {
  return (
    <>
      <p className="breakable">To: {to}</p>
      <ul className="desk-changes">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {mail !== null && <blockquote className="desk-mail desk-words">{mail}</blockquote>}
    </>
  )
}

function NoteForm(props: Props) {
  const { base, problem, isBusy, send } = useActs(props)
  const [text, setText] = useState('')
  const submit = async () => {
    if ((await send({ ...base, kind: 'note', text }, false)) !== null) setText('')
  }
  return (
    <form className="form desk-form" noValidate onSubmit={handled(submit)}>
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
          Keep the note
        </Button>
      </div>
    </form>
  )
}

function StateForm(props: Props) {
  const { submission, states } = props
  const { base, problem, isBusy, send } = useActs(props)
  const [state, setState] = useState<State>(submission.state)
  return (
    <form
      className="form desk-form"
      noValidate
      onSubmit={handled(() => send({ ...base, kind: 'state', state }, false))}
    >
      <h3>State</h3>
      <Problem text={problem} />
      <StateField id="state" label="It is" {...{ states, state, setState }} />
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
  /** Null until one is chosen. */
  state: State | null
  setState: (state: State) => void
}

function StateField({ id, label, states, state, setState }: StateFieldProps) {
  return (
    <SelectField
      id={id}
      name={id}
      label={label}
      value={state ?? ''}
      {...(state === null ? { placeholder: 'Choose one' } : {})}
      options={states.map((value) => ({ value, label: wordsOf(value) }))}
      onValue={(value) => {
        const chosen = states.find((one) => one === value)
        if (chosen !== undefined) setState(chosen)
      }}
    />
  )
}

const handled = (submit: () => Promise<unknown>) => (event: SyntheticEvent) => {
  event.preventDefault()
  void submit()
}
