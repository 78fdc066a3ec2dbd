import type { FieldError } from '../contract/endpoint.ts'

/**
 * Why a call did not succeed. `refused`: the server understood and said no. `unauthenticated`: the session
 * is over. `network`: no answer came. `unavailable`: an answer came, but not one that can be used now.
 */
export type FailureKind = 'refused' | 'unauthenticated' | 'network' | 'unavailable'

export interface CallFailure {
  readonly ok: false
  readonly kind: FailureKind
  /** The server's error code, or '' when none came. */
  readonly code: string
  /** The server's sentence, or '' when none came: whoever shows it has the fallback. */
  readonly message: string
  readonly errors: readonly FieldError[]
  /** HTTP status; 0 when no answer came. */
  readonly status: number
}

export type CallResult<T> = { readonly ok: true; readonly data: T } | CallFailure

/** A failure without words of the server. */
export function silentFailure(kind: FailureKind, status: number): CallFailure {
  return { ok: false, kind, code: '', message: '', errors: [], status }
}
