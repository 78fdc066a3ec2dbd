import type { ErrorCode } from '../../src/contract/errors.ts'
import type { FieldError } from '../../src/contract/endpoint.ts'

export interface RefusalDetail {
  errors?: FieldError[]
  retryAfterSeconds?: number
  /** Further fields of the answer, for protocols that require them. */
  extra?: Record<string, unknown>
}

/** The domain refuses a call, with an error code of the contract and a sentence for the user. */
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

/** The only row of a query. Refuses when there is none. */
export function requireRow<Row>([row]: readonly Row[], code: ErrorCode, message: string): Row {
  if (row === undefined) throw new Refusal(code, message)
  return row
}
