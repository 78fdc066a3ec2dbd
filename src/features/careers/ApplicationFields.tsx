import {
  optionName,
  REMOTE_PREFERENCES,
  WORK_AUTHORIZATIONS,
  WORKING_COUNTRIES,
} from '../../contract/careers.ts'
import { APPLICATION_MONTHS } from '../../contract/limits.ts'
import type { createJobApplication } from './job-application.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useForm } from '../form/use-form.tsx'

const optionsOf = (values: readonly string[]) =>
  values.map((value) => ({ value, label: optionName(value) }))

/** Adds the subject "This" to a message beside its field, because the messages continue the field's label. */
function asSentence(message: string | undefined): string | undefined {
  return message !== undefined && /^[a-z]/.test(message) ? `This ${message}` : message
}

interface Props {
  application: ReturnType<typeof createJobApplication>
  onCancel: () => void
}

/** The summary of errors calls the fields by the same names (`humanise`). */
export function ApplicationFields({ application, onCancel }: Props) {
  const { state, bind: bindField, formProps } = useForm(application)
  const bind = (name: Parameters<typeof bindField>[0]) => {
    const field = bindField(name)
    return { ...field, error: asSentence(field.error) }
  }
  return (
    <form {...formProps} className="form form-columns">
      <TextField {...bind('fullName')} label="Full name" autoComplete="name" />
      <TextField {...bind('email')} label="Email" type="email" autoComplete="email" isVerbatim />
      <TextField {...bind('phone')} label="Phone" type="tel" autoComplete="tel" />
      <TextField
        {...bind('currentLocation')}
        label="Current location"
        placeholder="City, Country"
        autoComplete="off"
      />
      <TextField {...bind('linkedinUrl')} label="LinkedIn URL" type="url" isOptional isVerbatim />
      <TextField {...bind('githubUrl')} label="GitHub URL" type="url" isOptional isVerbatim />
      <TextField {...bind('resumeUrl')} label="Resume URL" type="url" isVerbatim />
      <SelectField
        {...bind('workingCountry')}
        label="Working country"
        placeholder="Choose a country"
        options={optionsOf(WORKING_COUNTRIES)}
      />
      <SelectField
        {...bind('workAuthorization')}
        label="Work authorization"
        placeholder="Choose one"
        options={optionsOf(WORK_AUTHORIZATIONS)}
      />
      <SelectField
        {...bind('remotePreference')}
        label="Remote preference"
        placeholder="Choose one"
        options={optionsOf(REMOTE_PREFERENCES)}
      />
      <TextArea {...bind('experience')} label="Experience" rows={4} />
      <TextArea {...bind('whyJoin')} label="Why join?" rows={3} />
      <p className="field-hint">
        We keep your application for {APPLICATION_MONTHS} months after our decision, then delete it.
      </p>
      <div className="dialog-actions">
        <Button onClick={onCancel} isBusy={state.isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={state.isSubmitting}>
          {state.isSubmitting ? 'Submitting...' : 'Submit application'}
        </Button>
      </div>
    </form>
  )
}
