interface ApiErrorBody {
  code: string
  description: string
  field?: string
  source?: string
  step?: string
  reason?: string
  metadata?: Record<string, string>
}

/** An error that the emulated API answers, in Razorpay's shape. */
export class ApiError extends Error {
  readonly status: number
  readonly body: { error: ApiErrorBody }

  constructor(status: number, error: ApiErrorBody) {
    super(error.description)
    this.name = 'ApiError'
    this.status = status
    this.body = { error }
  }
}

type Extra = Omit<ApiErrorBody, 'code' | 'description'>

/** 400 BAD_REQUEST_ERROR; the machine-readable part of Razorpay's errors is `reason`. */
export function badRequest(description: string, extra: Extra = {}): ApiError {
  return new ApiError(400, {
    code: 'BAD_REQUEST_ERROR',
    description,
    source: 'business',
    step: 'payment_initiation',
    reason: 'input_validation_failed',
    metadata: {},
    ...extra,
  })
}

export function unknownId(): ApiError {
  return badRequest('The id provided does not exist', { field: 'id' })
}

export function unknownRoute(): ApiError {
  return badRequest('The requested URL was not found on the server.', {
    source: 'NA',
    step: 'NA',
    reason: 'NA',
  })
}

/** The connection ended without an answer, in the shape in which `fetch` reports it. */
export class ConnectionDropped extends TypeError {
  constructor() {
    super('fetch failed', { cause: { code: 'ECONNRESET' } })
    this.name = 'ConnectionDropped'
  }
}
