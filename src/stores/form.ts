import { atom } from 'nanostores'
import type { CallFailure } from '../api/call-endpoint.ts'
import type { FieldError } from '../contract/endpoint.ts'
import { AUTH } from '../contract/messages.ts'
import type { z } from '../contract/zod.ts'
import { sentenceOf } from './failure-text.ts'

type FieldValue = string | boolean
type FieldValues = Record<string, FieldValue>

export interface FormState<Values extends FieldValues = FieldValues> {
  values: Values
  /** The first message of each field that is wrong. */
  errors: Readonly<Record<string, string>>
  /** What went wrong with the form as a whole, or null. */
  problem: string | null
  isSubmitting: boolean
  /** The field that gets the focus; a new object each time the focus moves. */
  focus: { field: string } | null
}

/** The result of submitting: success, or one sentence and the errors of single fields. */
export type Outcome =
  { ok: true } | { ok: false; problem: string | null; errors: readonly FieldError[] }

interface Definition<Schema extends z.ZodType, Values extends FieldValues> {
  schema: Schema
  /** In the order of the page: the first field with an error gets the focus. */
  initial: Values
  submit: (values: z.output<Schema>) => Promise<Outcome>
  /** Runs on every attempt to submit, before the check. */
  onAttempt?: () => void
}

/** A form: the contract's schema checks it, one submission runs at a time, errors stand beside their fields. */
export function createForm<Schema extends z.ZodType, Values extends FieldValues>(
  definition: Definition<Schema, Values>,
) {
  const { schema, initial, submit } = definition
  const blank: FormState<Values> = {
    values: initial,
    errors: {},
    problem: null,
    isSubmitting: false,
    focus: null,
  }
  const $form = atom<FormState<Values>>(blank)
  const change = (part: Partial<FormState<Values>>) => {
    $form.set({ ...$form.get(), ...part })
  }

  function check(values: Values): Record<string, string> {
    const parsed = schema.safeParse(values)
    if (parsed.success) return {}
    return firstMessages(
      parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), msg: issue.message })),
    )
  }

  /** Updates the errors already shown while a person types; shows no new ones. */
  function setValue<Name extends keyof Values & string>(name: Name, value: Values[Name]) {
    const { values: before, errors: shown } = $form.get()
    const values = { ...before, [name]: value }
    const errors = check(values)
    const kept = Object.keys(shown).flatMap((field): [string, string][] =>
      errors[field] === undefined ? [] : [[field, errors[field]]],
    )
    change({ values, errors: Object.fromEntries(kept) })
  }

  /** Shows the error of a field that lost the focus, unless the field is empty. */
  function leaveField(name: keyof Values & string) {
    const { values, errors } = $form.get()
    const message = values[name] === '' ? undefined : check(values)[name]
    if (message !== undefined) change({ errors: { ...errors, [name]: message } })
  }

  function refuse(problem: string | null, errors: Record<string, string>) {
    const field = Object.keys(initial).find((name) => errors[name] !== undefined)
    const focus = field === undefined ? null : { field }
    change({ problem, errors, focus, isSubmitting: false })
  }

  async function submitForm(): Promise<boolean> {
    const { values, isSubmitting } = $form.get()
    if (isSubmitting) return false
    definition.onAttempt?.()
    const parsed = schema.safeParse(values)
    if (!parsed.success) {
      refuse(null, check(values))
      return false
    }
    change({ isSubmitting: true, problem: null, errors: {} })
    const outcome = await submit(parsed.data)
    if (outcome.ok) change({ isSubmitting: false })
    else refuse(outcome.problem, firstMessages(outcome.errors))
    return outcome.ok
  }

  return {
    $form,
    setValue,
    leaveField,
    submit: submitForm,
    reset: (values: Values = initial) => {
      $form.set({ ...blank, values })
    },
  }
}

export type Form<Values extends FieldValues = FieldValues> = ReturnType<
  typeof createForm<z.ZodType, Values>
>

function firstMessages(errors: readonly FieldError[]): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const { path, msg } of errors) messages[path] ??= msg
  return messages
}

/** A failed call as the outcome of a form. An error shown beside a field is not repeated above the form. */
export function outcomeOf(failure: CallFailure): Outcome {
  const hasFieldErrors = failure.errors.length > 0
  return {
    ok: false,
    problem: hasFieldErrors ? null : sentenceOf(failure),
    errors: failure.errors,
  }
}

/** As `outcomeOf`, with "wrong password" beside the field it was typed into. */
export function passwordOutcomeOf(failure: CallFailure, field: string): Outcome {
  if (failure.code !== 'WRONG_PASSWORD') return outcomeOf(failure)
  const msg = failure.message || AUTH.wrongPassword
  return { ok: false, problem: null, errors: [{ path: field, msg }] }
}
