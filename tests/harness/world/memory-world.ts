import type { Context } from '../../../edge-api/domain/context.ts'
import type { PaymentGateway, PaymentMode } from '../../../edge-api/domain/ports/payments.ts'
import { unavailableGateway } from '../../../edge-api/gateways/razorpay/unavailable-gateway.ts'
import { borrowDatabase } from './memory-database.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

export interface MemoryWorld extends World {
  read: (query: string) => Record<string, unknown>[]
  /** A context as the site would have with other keys of Razorpay, on the same tables. */
  ctxOf: (paymentMode: PaymentMode) => Context
  /** A context whose Razorpay answers these calls, and no others. */
  ctxWith: (gateway: Partial<PaymentGateway>) => Context
}

/** A world with a database of its own in memory. Payments are configured, and Razorpay answers nothing. */
export function memoryWorld(options: Pick<WorldOptions, 'now'> = {}): MemoryWorld {
  const database = borrowDatabase()
  const payments = { ...unavailableGateway, keyId: 'rzp_test_EMUkey00000001' }
  const world = createWorld({ ...options, payments, openDatabase: () => database.open() })
  return {
    ...world,
    read: database.read,
    ctxOf: (paymentMode) => ({ ...world.ctx(), paymentMode }),
    ctxWith: (gateway) => ({ ...world.ctx(), payments: { ...payments, ...gateway } }),
  }
}
