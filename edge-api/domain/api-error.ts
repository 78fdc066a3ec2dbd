import type { ErrorCode } from '../../src/contract/errors.ts'
import type { FieldError } from '../../src/contract/endpoint.ts'

export interface ApiErrorDetail {
  errors?: FieldError[]
  retryAfterSeconds?: number
  /** Further fields of the answer, for protocols that require them. */
  extra?: Record<string, unknown>
}

/** The domain rejects a call, with an error code of the contract and a sentence for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly detail: ApiErrorDetail

  constructor(code: ErrorCode, message: string, detail: ApiErrorDetail = {}) {
    super(message)
    this.code = code
    this.detail = detail
  }
}

/** The only row of a query. Rejects when there is none. */
export function requireRow<Row>([row]: readonly Row[], code: ErrorCode, message: string): Row {
  if (row === undefined) throw new ApiError(code, message)
  return row
}
