import { atom } from 'nanostores'
import type { CallFailure, CallResult } from '../../api/call-endpoint.ts'
import type { FieldError } from '../../contract/endpoint.ts'
import type { z } from '../../contract/zod.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { dropUnsent, keepUnsent, unsentOf } from '../../lib/unsent.ts'
import { session, type SessionState } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

type FieldValue = string | boolean
type FieldValues = Record<string, FieldValue>

interface FormState<Values extends FieldValues = FieldValues> {
  values: Values
  /** The first message of each field that is wrong. */
  errors: Readonly<Record<string, string>>
  /** The error of the form as a whole, or null. */
  problem: string | null
  isSubmitting: boolean
  /** The field that gets the focus; a new object each time the focus moves. */
  focus: { field: string } | null
}

interface Definition<Schema extends z.ZodType, Values extends FieldValues, Data> {
  schema: Schema
  /** In the order of the page: the first field with an error gets the focus. */
  initial: Values
  /** Calls the server; runs only with valid values. */
  send: (values: z.output<Schema>) => Promise<CallResult<Data>>
  onSuccess: (data: Data, values: z.output<Schema>) => void
  onFailure?: (failure: CallFailure) => void
  /** Runs on every attempt to submit, before the values are checked. */
  onAttempt?: () => void
  /** Runs instead of `send` when values are invalid. */
  onInvalid?: () => void
  /** Under this name the tab keeps what was typed until it is sent (lib/unsent.ts). Not for a form with a password. */
  keptAs?: string
  /** The field that shows the error `WRONG_PASSWORD`. */
  passwordField?: keyof Values & string
}

/** A form: the contract's schema checks it, one submission runs at a time, and each error is beside its field. */
export function createForm<Schema extends z.ZodType, Values extends FieldValues, Data>(
  definition: Definition<Schema, Values, Data>,
) {
  const { schema, initial, keptAs } = definition
  const blank: FormState<Values> = {
    values: initial,
    errors: {},
    problem: null,
    isSubmitting: false,
    focus: null,
  }
  const $form = atom<FormState<Values>>(blank)
  const change = (part: Partial<FormState<Values>>) => $form.set({ ...$form.get(), ...part })
  /** Who types: an account, or null for a guest. Whoever's session ends meanwhile goes on typing. */
  let owner: string | null | undefined

  function keep(values: Values) {
    const now = ownerOf(session.$session.get())
    if (typeof owner !== 'string' || now !== null) owner = now
    if (keptAs === undefined || owner === undefined) return
    const typed = Object.entries(values).filter(([name, value]) => value !== initial[name])
    keepUnsent(owner, keptAs, Object.fromEntries(typed))
  }

  /** Fills in what its user has typed in this tab and not sent, where nothing was typed since. */
  async function restore() {
    if (keptAs === undefined) return
    const now = ownerOf(await session.whenKnown())
    const kept = now === undefined ? {} : (unsentOf(now)[keptAs] ?? {})
    const { values } = $form.get()
    fillIn(
      Object.fromEntries(Object.entries(kept).filter(([name]) => values[name] === initial[name])),
    )
  }

  function drop() {
    if (keptAs !== undefined) dropUnsent(keptAs)
  }

  function check(values: Values): Record<string, string> {
    const parsed = schema.safeParse(values)
    if (parsed.success) return {}
    return firstMessages(
      parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), msg: issue.message })),
    )
  }

  /** Updates the errors already shown while the user types; shows no new ones. */
  function setValue<Name extends keyof Values & string>(name: Name, value: Values[Name]) {
    const { values: before, errors: shown } = $form.get()
    const values = { ...before, [name]: value }
    const errors = check(values)
    const kept = Object.keys(shown).flatMap((field): [string, string][] =>
      errors[field] === undefined ? [] : [[field, errors[field]]],
    )
    change({ values, errors: Object.fromEntries(kept) })
    keep(values)
  }

  /** Shows the error of a field that lost the focus, unless the field is empty. */
  function leaveField(name: keyof Values & string) {
    const { values, errors } = $form.get()
    const message = values[name] === '' ? undefined : check(values)[name]
    if (message !== undefined) change({ errors: { ...errors, [name]: message } })
  }

  function showErrors(problem: string | null, errors: Record<string, string>) {
    const field = Object.keys(initial).find((name) => errors[name] !== undefined)
    const focus = field === undefined ? null : { field }
    change({ problem, errors, focus, isSubmitting: false })
  }

  /** Shows an error either beside its field or above the form, never in both places. */
  function fail(failure: CallFailure) {
    const { passwordField } = definition
    const errors =
      failure.code === 'WRONG_PASSWORD' && passwordField !== undefined
        ? { [passwordField]: sentenceOf(failure) }
        : firstMessages(failure.errors)
    showErrors(Object.keys(errors).length > 0 ? null : sentenceOf(failure), errors)
    definition.onFailure?.(failure)
  }

  async function submit() {
    const { values, isSubmitting } = $form.get()
    if (isSubmitting) return
    definition.onAttempt?.()
    const parsed = schema.safeParse(values)
    if (!parsed.success) {
      showErrors(null, check(values))
      definition.onInvalid?.()
      return
    }
    change({ isSubmitting: true, problem: null, errors: {} })
    const result = await definition.send(parsed.data)
    if (!result.ok) {
      fail(result)
      return
    }
    change({ isSubmitting: false })
    drop()
    definition.onSuccess(result.data, parsed.data)
  }

  /** Takes over what was typed before the form had its script. */
  function fillIn(typed: Readonly<Record<string, FieldValue>>) {
    const { values } = $form.get()
    const early = Object.entries(typed).filter(
      ([name, value]) => name in initial && value !== initial[name],
    )
    if (early.length > 0) change({ values: { ...values, ...Object.fromEntries(early) } })
  }

  return {
    $form,
    fillIn,
    restore,
    setValue,
    leaveField,
    submit,
    /** Moves the focus to a field, for a form that replaces what had it. */
    focus: (field: keyof Values & string) => change({ focus: { field } }),
    reset: (values: Values = initial) => {
      drop()
      $form.set({ ...blank, values })
    },
  }
}

export type Form<Values extends FieldValues = FieldValues> = ReturnType<
  typeof createForm<z.ZodType, Values, unknown>
>

/** Undefined while it is not known. */
const ownerOf = ({ status, user }: SessionState) =>
  status === 'signed-in' ? user.id : status === 'guest' ? null : undefined

function firstMessages(errors: readonly FieldError[]): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const { path, msg } of errors) messages[path] ??= msg
  return messages
}

/**
 * Shows the fallback of one form as a toast when a failure has no message; the form itself shows messages. The next attempt
 * dismisses the toast, and so does leaving the page.
 */
export function createFailureToast(fallback: string) {
  let shown: string | null = null
  const show = (text: string) => {
    shown = toasts.errorHere(text)
  }
  return {
    show,
    onAttempt: () => {
      if (shown !== null) toasts.dismiss(shown)
      shown = null
    },
    onFailure: ({ message }: CallFailure) => {
      if (message === '') show(fallback)
    },
  }
}
