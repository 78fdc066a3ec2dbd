import { atom } from 'nanostores'
import { ApplicationInput, applyEndpoint } from '../contract/careers.ts'
import type { FieldError } from '../contract/endpoint.ts'
import { CAREERS } from '../contract/messages.ts'
import type { Environment } from './environment.ts'
import { createForm } from './form.ts'

/** Milliseconds the overlay "Preparing application form..." stays. */
export const PREPARING_MS = 800

export interface ApplicationState {
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
  environment: Environment
  jobId: string
}

/** Applying for one job: a short overlay, then the form, then the message in its place. */
export function createJobApplication({ environment, jobId }: JobApplicationDeps) {
  const $application = atom<ApplicationState>(IDLE)
  const form = createForm({
    schema: ApplicationInput,
    initial: { ...BLANK, jobId },
    submit: async (body) => {
      const result = await environment.call(applyEndpoint, { body })
      if (result.ok) {
        $application.set({ step: 'sent', message: CAREERS.success, fieldErrors: [] })
        return { ok: true }
      }
      const hasErrors = result.errors.length > 0
      const said = result.kind === 'network' ? CAREERS.network : result.message || CAREERS.failed
      const message = hasErrors ? CAREERS.fixBelow : said
      $application.set({ step: 'filling', message, fieldErrors: result.errors })
      return { ok: false, problem: null, errors: result.errors }
    },
  })

  async function submit() {
    $application.set({ step: 'filling', message: null, fieldErrors: [] })
    const isSent = await form.submit()
    if (isSent) form.reset()
    else if ($application.get().message === null && !form.$form.get().isSubmitting) listErrors()
  }

  /** Shows errors that the contract found before sending in the same list as the server's. */
  function listErrors() {
    const fieldErrors = Object.entries(form.$form.get().errors).map(([path, msg]) => ({
      path,
      msg,
    }))
    $application.set({ step: 'filling', message: CAREERS.fixBelow, fieldErrors })
  }

  return {
    ...form,
    submit,
    $application,
    prepare: () => {
      $application.set({ ...IDLE, step: 'preparing' })
      environment.clock.after(PREPARING_MS, () => {
        if ($application.get().step === 'preparing') $application.set({ ...IDLE, step: 'filling' })
      })
    },
    /** Keeps the values, because a form is easily closed by accident. */
    close: () => {
      $application.set(IDLE)
    },
  }
}

/** The label of a field: `workAuthorization` becomes `Work Authorization`. */
export function humanise(field: string): string {
  const words = field.replaceAll(/([A-Z])/g, ' $1')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
