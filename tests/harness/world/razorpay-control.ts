import { z } from 'zod'

const Triple = z.object({
  razorpay_order_id: z.string(),
  razorpay_payment_id: z.string(),
  razorpay_signature: z.string(),
})

/** The fields of the checkout handler, in our words. */
export interface Triple {
  orderId: string
  paymentId: string
  signature: string
}

export interface RazorpayControl {
  send: (method: string, path: string, body?: unknown) => Promise<unknown>
  /** Pays an order without a browser and answers what the handler would get. */
  pay: (orderId: string, options?: Record<string, unknown>) => Promise<Triple>
  /** A fault rule; see the emulator's fault/rule.ts. */
  fault: (rule: Record<string, unknown>) => Promise<unknown>
  clearFaults: () => Promise<unknown>
  /** Requests that reached the REST API, newest last. */
  requests: () => Promise<{ method: string; path: string }[]>
}

const Journal = z.array(z.looseObject({ method: z.string(), path: z.string() }))

/** The control API of the emulator. Throws with its answer when it says no. */
export function controlOf(emulatorUrl: string): RazorpayControl {
  const send: RazorpayControl['send'] = async (method, path, body) => {
    const response = await fetch(`${emulatorUrl}/__emu${path}`, {
      method,
      headers: { 'x-emu-control': 'local', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  return {
    send,
    pay: async (orderId, options = {}) => {
      const body = { order_id: orderId, method: 'card', outcome: 'success', ...options }
      const answer = Triple.parse(await send('POST', '/payments', body))
      return {
        orderId: answer.razorpay_order_id,
        paymentId: answer.razorpay_payment_id,
        signature: answer.razorpay_signature,
      }
    },
    fault: (rule) => send('POST', '/faults', rule),
    clearFaults: () => send('DELETE', '/faults'),
    requests: async () => Journal.parse(await send('GET', '/requests')),
  }
}
