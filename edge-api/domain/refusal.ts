import type { ErrorCode } from '../../src/contract/errors.ts'
import type { FieldError } from '../../src/contract/endpoint.ts'

interface RefusalDetail {
  errors?: FieldError[]
  retryAfterSeconds?: number
  /** Further members of the answer, for protocols that ask for them. */
  extra?: Record<string, unknown>
}

/** The domain says no: a code of the closed list and a sentence for the person who asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly detail: RefusalDetail

  constructor(code: ErrorCode, message: string, detail: RefusalDetail = {}) {
    super(message)
    this.code = code
    this.detail = detail
  }
}
