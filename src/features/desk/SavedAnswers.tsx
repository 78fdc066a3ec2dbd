import { useState } from 'react'
import type { SyntheticEvent } from 'react'
import { INBOX, type SavedAnswer, SubmissionKind } from '../../contract/desk-inbox.ts'
import { createResource } from '../resource/resource.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { focusFirst } from '../factors/ProveFactor.tsx'
import { stepUp } from '../factors/step-up.ts'
import { Problem } from '../form/use-form.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { sayDone, useSend } from './use-send.tsx'

const saved = createResource(() => stepUp.call('GET /api/desk/answers', {}))

/** The answers that operators use again: to change, to delete, to add. */
export default function SavedAnswers() {
  const [{ edited, turn }, setForm] = useState<{ edited: SavedAnswer | null; turn: number }>({
    edited: null,
    turn: 0,
  })
  const open = (answer: SavedAnswer | null) =>
    setForm((form) => ({ edited: answer, turn: form.turn + 1 }))
  return (
    <Panel title="Saved answers">
      <Loaded resource={saved} loading="Loading saved answers…">
        {({ answers }) => (
          <>
            {answers.length === 0 && (
              <p className="empty">None yet. Save the answers you write often.</p>
            )}
            <ul className="rows">
              {answers.map((answer) => (
                <Row
                  key={answer.id}
                  note={<span className="desk-words">{answer.text}</span>}
                  action={
                    <Button size="small" onClick={() => open(answer)}>
                      Edit or delete
                    </Button>
                  }
                >
                  <strong>{answer.title}</strong> <Badge tone="gray">{answer.about}</Badge>
                </Row>
              ))}
            </ul>
            <AnswerForm key={turn} edited={edited} isWanted={turn > 0} onDone={() => open(null)} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

interface FormProps {
  edited: SavedAnswer | null
  /** Takes the place of the form or the button that was pressed. */
  isWanted: boolean
  onDone: () => void
}

function AnswerForm({ edited, isWanted, onDone }: FormProps) {
  const [about, setAbout] = useState<SubmissionKind>(edited?.about ?? 'ticket')
  const [title, setTitle] = useState(edited?.title ?? '')
  const [text, setText] = useState(edited?.text ?? '')
  const { problem, setProblem, isBusy, send } = useSend()
  const save = async (words: string) => {
    const body = { id: edited?.id ?? null, about, title, text: words }
    const data = await send(() => stepUp.call('POST /api/desk/answers', { body }))
    if (data === null) return
    saved.put(data)
    sayDone(data)
    onDone()
  }
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (text.trim() === '') setProblem(INBOX.textRequired)
    else void save(text)
  }
  return (
    <form
      ref={isWanted ? focusFirst : null}
      className="form desk-form"
      noValidate
      onSubmit={handleSubmit}
    >
      <h3>{edited === null ? 'New answer' : 'Edit the answer'}</h3>
      <Problem text={problem} />
      <TextField
        id="answer-title"
        name="title"
        label="Title"
        autoComplete="off"
        value={title}
        onValue={setTitle}
      />
      <SelectField
        id="answer-about"
        name="about"
        label="Use for"
        value={about}
        options={[
          { value: 'ticket', label: 'Tickets' },
          { value: 'application', label: 'Applications' },
        ]}
        onValue={(value) => setAbout(SubmissionKind.catch(about).parse(value))}
      />
      <TextArea id="answer-text" name="text" label="Text" rows={6} value={text} onValue={setText} />
      <div className="row form-actions">
        <Button type="submit" look="primary" isBusy={isBusy} busyLabel="One moment…">
          Save
        </Button>
        {edited !== null && (
          <>
            <ConfirmButton
              label="Delete it"
              title="Delete the saved answer?"
              yes="Delete it"
              isDangerous
              onYes={() => save('')}
            >
              This cannot be undone.
            </ConfirmButton>
            <Button onClick={onDone}>Cancel</Button>
          </>
        )}
      </div>
    </form>
  )
}
