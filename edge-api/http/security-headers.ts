import type { MiddlewareHandler } from 'hono'

/** Two years of https only. Without `preload`, which is the domain owner's decision. */
export const HTTPS_ONLY = 'max-age=63072000; includeSubDomains'

/** For API answers: no framing, no scripts, no sniffing, no caching. */
const FOR_DATA: Readonly<Record<string, string>> = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Strict-Transport-Security': HTTPS_ONLY,
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
}

/** Headers that a route may set itself: a page has its own policy, and public answers may be cached. */
const UNLESS_SET: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
}

/** Copying them all takes the runtime a tenth of the time that setting each takes. */
const forJson = new Headers({
  ...FOR_DATA,
  ...UNLESS_SET,
  'Content-Type': 'application/json',
})

/** The headers of an answer in JSON, to which `securityHeaders` has nothing to add. */
export function jsonHeaders(): Headers {
  return new Headers(forJson)
}

/** Sets the same headers on every answer that does not have them yet. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  if (headers.has('X-Frame-Options')) return
  for (const [name, value] of Object.entries(FOR_DATA)) headers.set(name, value)
  for (const [name, value] of Object.entries(UNLESS_SET)) {
    if (!headers.has(name)) headers.set(name, value)
  }
}
