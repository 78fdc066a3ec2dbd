import type { Toasts } from './toasts.ts'

/** The error toasts of one form: its next attempt takes away what the last one said, and so does leaving it. */
export function createAttemptErrors(toasts: Toasts) {
  let shown: string | null = null
  return {
    say: (text: string) => {
      shown = toasts.errorHere(text)
    },
    clear: () => {
      if (shown !== null) toasts.dismiss(shown)
      shown = null
    },
  }
}
