import type { CallFailure } from '../api/call-result.ts'
import type { Outcome } from './form.ts'

const NO_ANSWER = {
  network: 'We cannot reach the server. Check your connection and try again.',
  unavailable: 'Something went wrong on our side. Please try again in a minute.',
  unauthenticated: 'Please sign in to continue.',
  refused: 'This did not work. Please check what you entered and try again.',
} as const

/** One sentence for a person: the server's own, or what happened and what to do next. */
export function sentenceOf(failure: CallFailure): string {
  return failure.message === '' ? NO_ANSWER[failure.kind] : failure.message
}

/** The spec's toast of a failed call: the server's message, or the given fallback. */
export function toastOf(failure: CallFailure, fallback: string): string {
  return failure.message === '' ? fallback : failure.message
}

/** The specification's sentence says what failed. What to do next stands beside it, unless the server said so. */
export function nextStepOf(failure: CallFailure): string | undefined {
  return failure.message === '' ? sentenceOf(failure) : undefined
}

/** A failed call as the outcome of a form. What is said beside fields is not said again above them. */
export function outcomeOf(failure: CallFailure): Outcome {
  const hasFieldErrors = failure.errors.length > 0
  return {
    ok: false,
    problem: hasFieldErrors ? null : sentenceOf(failure),
    errors: failure.errors,
  }
}
