import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { SUPPORT_COUNTER } from '../../contract/limits.ts'
import { FIELD } from '../../contract/field-messages.ts'
import { createSupportTicket } from './support-ticket.ts'
import { Button } from '../../ui/Button.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

const ticket = createSupportTicket()

const SEVERITIES = [
  { value: 'low', label: 'Low: a question' },
  { value: 'medium', label: 'Medium: something does not work' },
  { value: 'high', label: 'High: I cannot use it' },
]

/** The support ticket of /contact, then the thank-you screen. */
export default withErrorBoundary('the support form', TicketForm)

function TicketForm() {
  const ticketNumber = useStore(ticket.$ticketNumber, { ssr: 'initial' })
  useEffect(() => void ticket.prefill(), [])
  return ticketNumber === null ? <Ticket /> : <ThankYou ticketNumber={ticketNumber} />
}

function Ticket() {
  const { state, bind, formProps, submitProps } = useForm(ticket)
  const query = bind('query')
  // A toast already says the contract's sentence.
  const isMissing = query.error === FIELD.fillRequired
  return (
    <form {...formProps} className="form">
      <Problem text={state.problem} />
      <TextField {...bind('email')} label="Email" type="email" autoComplete="email" isVerbatim />
      <SelectField {...bind('severity')} label="Severity" options={SEVERITIES} />
      <Checkbox {...bind('isFeatureRequest')} label="This is a feature request" />
      <TextArea
        {...query}
        error={isMissing ? 'Please say how we can help' : query.error}
        label="How can we help?"
        rows={7}
        hint={`${state.values.query.length}/${SUPPORT_COUNTER} characters`}
      />
      <Button {...submitProps} busyLabel="Sending…">
        Submit ticket
      </Button>
    </form>
  )
}

function ThankYou({ ticketNumber }: { ticketNumber: string }) {
  const { email } = useStore(ticket.$form, { ssr: 'initial' }).values
  return (
    <StatusCard
      title="Thank You"
      picture="asked"
      pictureText={ticketNumber}
      takesFocus
      next={['Back to Home', '/']}
      actions={<Button onClick={ticket.submitAnother}>Submit Another Ticket</Button>}
    >
      <p>
        We have your ticket <strong>{ticketNumber}</strong>. We will reply to{' '}
        <strong>{email}</strong>.
      </p>
    </StatusCard>
  )
}
