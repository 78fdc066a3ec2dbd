import type { CallFailure } from './call-endpoint.ts'

const WITHOUT_MESSAGE = {
  network: 'We cannot reach the server. Check your connection and try again.',
  unavailable: 'Something went wrong on our side. Please try again in a minute.',
  unauthenticated: 'Please sign in to continue.',
  refused: 'This did not work. Please check what you entered and try again.',
} as const

/** The server's message, or a sentence that says what happened and what to do next. */
export function sentenceOf(failure: CallFailure): string {
  return failure.message === '' ? WITHOUT_MESSAGE[failure.kind] : failure.message
}

/** Advice to show beside the specification's sentence; undefined when the server sent a message. */
export function nextStepOf(failure: CallFailure): string | undefined {
  return failure.message === '' ? sentenceOf(failure) : undefined
}
