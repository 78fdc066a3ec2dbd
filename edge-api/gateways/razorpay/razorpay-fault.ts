import { GatewayRefused, GatewayUnavailable } from '../../domain/ports/payments.ts'
import { z } from '../../../src/contract/zod.ts'

/** What the SDK rejects with once `guardTransport` has made every failure of one shape. */
const Rejection = z.object({
  statusCode: z.number(),
  error: z
    .object({
      code: z.string().catch(''),
      description: z.string().catch(''),
      reason: z.string().nullable().optional().catch(null),
      metadata: z.object({ order_id: z.string().optional() }).optional().catch(undefined),
      retryAfterSeconds: z.number().optional().catch(undefined),
    })
    .catch({ code: '', description: '' }),
})

/** A call to Razorpay that went wrong, with all that decides what to do about it. */
export class RazorpayFault extends Error {
  override readonly name = 'RazorpayFault'
  readonly isRetryable: boolean
  /** True when Razorpay understood and said no; false when nothing was learned. */
  readonly isRefusal: boolean
  readonly reason: string
  readonly retryAfterMs: number | null
  readonly orderId: string | null

  constructor(status: number, { error }: Omit<z.output<typeof Rejection>, 'statusCode'>) {
    super(`${status} ${error.code} ${error.description}`.trim().slice(0, 300))
    const isAuthentication = status === 401 || error.description === 'Authentication failed'
    this.isRetryable = status === 0 || status === 429 || status >= 500
    this.isRefusal = status >= 400 && !this.isRetryable && !isAuthentication && status !== 408
    this.reason = error.reason ?? error.code
    this.retryAfterMs =
      error.retryAfterSeconds === undefined ? null : error.retryAfterSeconds * 1_000
    this.orderId = error.metadata?.order_id ?? null
  }

  /** As the domain knows it. */
  toPortError(): Error {
    return this.isRefusal
      ? new GatewayRefused(this.reason, this.message)
      : new GatewayUnavailable(this.message, { cause: this })
  }
}

/** Whatever a call was rejected with, as a RazorpayFault. */
export function toFault(error: unknown): RazorpayFault {
  if (error instanceof RazorpayFault) return error
  const parsed = Rejection.safeParse(error)
  if (parsed.success) return new RazorpayFault(parsed.data.statusCode, parsed.data)
  const description = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
  return new RazorpayFault(0, { error: { code: 'UNREADABLE', description } })
}
