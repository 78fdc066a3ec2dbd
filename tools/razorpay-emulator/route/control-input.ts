import { z } from 'zod'
import { Method } from '../state/entity.ts'
import { Settings } from '../state/settings.ts'

export const ResetInput = z.strictObject({ seed: z.string().min(1).max(64).optional() })

export const ClockInput = z.union([
  z.strictObject({
    advanceSeconds: z
      .number()
      .min(0)
      .max(366 * 24 * 3600),
  }),
  z.strictObject({ setTo: z.int().min(0) }),
])

export const PaymentInput = z.strictObject({
  order_id: z.string(),
  method: Method.default('card'),
  outcome: z.enum(['success', 'failure', 'authorize_only']).default('success'),
  reason: z.string().optional(),
  number: z.string().optional(),
  vpa: z.string().optional(),
  email: z.string().optional(),
  contact: z.string().optional(),
  notes: z.record(z.string(), z.unknown()).optional(),
})

export const ScenarioInput = z.strictObject({
  name: z.string(),
  order_id: z.string().optional(),
  receipt: z.string().optional(),
})

export const DisputeInput = z.strictObject({
  phase: z.enum(['created', 'under_review', 'won', 'lost', 'closed']),
  amount: z.int().min(1).optional(),
})

export const SendInput = z.strictObject({
  event: z.string().min(1).max(64),
  payment_id: z.string().optional(),
  order_id: z.string().optional(),
  refund_id: z.string().optional(),
  payment_link_id: z.string().optional(),
  dispute_id: z.string().optional(),
})

export const ReplayInput = z.strictObject({ event_id: z.string() })
export const SecretInput = z.strictObject({ next: z.string().min(16).max(128) })
export const SettingsInput = Settings.partial()
