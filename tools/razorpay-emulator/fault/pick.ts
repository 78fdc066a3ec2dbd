import type { FaultRule } from './rule.ts'
import {
  BrowserAction,
  OrderAction,
  PaymentAction,
  RefundAction,
  WebhookAction,
  WireAction,
} from './rule.ts'

type Action = FaultRule['action']

function picker<Kind>(schema: {
  safeParse(value: unknown): { success: true; data: Kind } | { success: false }
}): (action: Action) => Kind | null {
  return (action) => {
    const parsed = schema.safeParse(action)
    return parsed.success ? parsed.data : null
  }
}

export const pickWire = picker(WireAction)
export const pickOrder = picker(OrderAction)
export const pickPayment = picker(PaymentAction)
export const pickRefund = picker(RefundAction)
export const pickBrowser = picker(BrowserAction)
export const pickWebhook = picker(WebhookAction)
