import { atom } from 'nanostores'
import { ApplicationInput } from '../../contract/careers.ts'
import type { FieldError } from '../../contract/endpoint.ts'
import { CAREERS } from '../../contract/messages.ts'
import { environment } from '../../lib/environment.ts'
import { createForm } from '../form/form.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

/** Milliseconds the overlay "Preparing application form..." stays. */
const PREPARING_MS = 800

interface ApplicationState {
  step: 'idle' | 'preparing' | 'filling' | 'sent'
  /** Shown above the form: green when it contains "successfully", red otherwise. */
  message: string | null
  fieldErrors: readonly FieldError[]
}

const IDLE: ApplicationState = { step: 'idle', message: null, fieldErrors: [] }

const BLANK = {
  fullName: '',
  email: '',
  phone: '',
  linkedinUrl: '',
  githubUrl: '',
  resumeUrl: '',
  currentLocation: '',
  workingCountry: '',
  workAuthorization: '',
  remotePreference: '',
  experience: '',
  whyJoin: '',
}

interface JobApplicationDeps {
  jobId: string
}

/** Applying for one job: a short overlay, then the form, then the message in its place. */
export function createJobApplication({ jobId }: JobApplicationDeps) {
  const $application = atom<ApplicationState>(IDLE)
  /** Back closes the form even while it is sent. */
  const isOpen = () => $application.get().step === 'filling'
  const form = createForm({
    schema: ApplicationInput,
    initial: { ...BLANK, jobId },
    keptAs: `application for ${jobId}`,
    send: (body) => session.call('POST /api/careers/apply', { body }),
    onAttempt: () => $application.set({ ...IDLE, step: 'filling' }),
    onFailure: ({ errors, kind, message }) => {
      const hasErrors = errors.length > 0
      const reason = kind === 'network' ? CAREERS.network : message || CAREERS.failed
      const shown = hasErrors ? CAREERS.fixBelow : reason
      if (isOpen()) $application.set({ step: 'filling', message: shown, fieldErrors: errors })
      else toasts.error(reason)
    },
    onSuccess: () => {
      form.reset()
      if (isOpen()) $application.set({ step: 'sent', message: CAREERS.success, fieldErrors: [] })
      else toasts.success(CAREERS.success)
    },
  })

  return {
    ...form,
    $application,
    prepare: () => {
      $application.set({ ...IDLE, step: 'preparing' })
      environment.clock.after(PREPARING_MS, () => {
        if ($application.get().step === 'preparing') $application.set({ ...IDLE, step: 'filling' })
      })
    },
    /** Keeps the values, because a form is easily closed by accident. */
    close: () => $application.set(IDLE),
  }
}

/** The label of a field: `workAuthorization` becomes `Work Authorization`. */
export function humanise(field: string): string {
  const words = field.replaceAll(/([A-Z])/g, ' $1')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
