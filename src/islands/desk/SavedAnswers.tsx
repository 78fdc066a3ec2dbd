import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { SyntheticEvent } from 'react'
import type { SavedAnswer } from '../../contract/desk-inbox.ts'
import { INBOX } from '../../contract/desk-inbox.ts'
import { deps } from '../../stores/browser.ts'
import { createSavedAnswers } from '../../stores/desk-inbox.ts'
import { Button } from '../../ui/Button.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem } from '../form/Problem.tsx'
import { stepUp } from '../settings/step-up.ts'

const store = createSavedAnswers({ ...deps, confirmed: stepUp.confirmed })

/** The answers that operators use again: to change, to delete, to add. */
export function SavedAnswers() {
  const resource = useStore(store.$resource)
  const [edited, setEdited] = useState<SavedAnswer | null>(null)
  useEffect(() => {
    void store.load()
  }, [])
  if (resource.status === 'failed') {
    return <RetryNotice onRetry={store.load}>{resource.message}</RetryNotice>
  }
  if (resource.data === null) return <Loading>Loading saved answers…</Loading>
  const { answers } = resource.data
  return (
    <section className="card panel" aria-labelledby="answers-title">
      <h2 id="answers-title">Saved answers</h2>
      {answers.length === 0 && <p className="empty">None yet. Keep what you write twice.</p>}
      <ul className="rows">
        {answers.map((answer) => (
          <li key={answer.id}>
            <div>
              <p>{answer.title}</p>
              <p className="row-note desk-words">{answer.text}</p>
            </div>
            <Button
              size="small"
              onClick={() => {
                setEdited(answer)
              }}
            >
              Change or delete
            </Button>
          </li>
        ))}
      </ul>
      <AnswerForm
        key={edited?.id ?? `new ${String(answers.length)}`}
        edited={edited}
        onDone={() => {
          setEdited(null)
        }}
      />
    </section>
  )
}

function AnswerForm({ edited, onDone }: { edited: SavedAnswer | null; onDone: () => void }) {
  const [title, setTitle] = useState(edited?.title ?? '')
  const [text, setText] = useState(edited?.text ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const save = async (words: string) => {
    if (isBusy) return
    setIsBusy(true)
    const result = await store.save({ id: edited?.id ?? null, title, text: words })
    setIsBusy(false)
    if (!result.ok) setProblem(result.errors[0]?.msg ?? result.message)
    else {
      deps.toasts.success(result.data.message ?? INBOX.done)
      onDone()
    }
  }
  return (
    <form
      className="form desk-form"
      noValidate
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault()
        if (text.trim() === '') setProblem(INBOX.textRequired)
        else void save(text)
      }}
    >
      <h3>{edited === null ? 'Another answer' : 'Change the answer'}</h3>
      <Problem text={problem} />
      <TextField
        id="answer-title"
        name="title"
        label="Title"
        autoComplete="off"
        value={title}
        onValue={setTitle}
      />
      <TextArea id="answer-text" name="text" label="Text" rows={6} value={text} onValue={setText} />
      <div className="form-actions">
        <Button type="submit" look="primary" isBusy={isBusy} busyLabel="One moment…">
          Keep it
        </Button>
        {edited !== null && (
          <>
            <Button look="danger" onClick={() => void save('')}>
              Delete it
            </Button>
            <Button onClick={onDone}>Leave it</Button>
          </>
        )}
      </div>
    </form>
  )
}
