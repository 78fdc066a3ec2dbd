import type { Endpoint } from '../../../src/contract/endpoint.ts'

interface Redirect {
  status: 302 | 303
  /** Where it leads. */
  leads: string
}

/** Calls that a person's browser walks through: they answer with a redirect, whatever happened. */
const REDIRECTS: Readonly<Record<string, Redirect>> = {
  paymentLinkCallback: { status: 303, leads: 'To the success or cancel page' },
  checkoutCallback: { status: 303, leads: 'To the success or cancel page' },
  googleStart: { status: 302, leads: 'To Google, or back to the sign-in page with a problem' },
  googleCallback: { status: 302, leads: 'To the sign-in page, which finishes' },
}

/** How this call redirects, null when it answers itself. */
export function redirectOf({ id }: Pick<Endpoint, 'id'>): Redirect | null {
  return REDIRECTS[id] ?? null
}
