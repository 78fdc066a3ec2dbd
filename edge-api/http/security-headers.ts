import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** Two years of https only. Without `preload`, which the owner of the domain has to want. */
export const HTTPS_ONLY = 'max-age=63072000; includeSubDomains'

const POLICY = 'Content-Security-Policy'

/** For API answers: no framing, no scripts, no sniffing. */
const forData = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  strictTransportSecurity: HTTPS_ONLY,
  referrerPolicy: 'no-referrer',
  crossOriginOpenerPolicy: 'same-origin',
  crossOriginResourcePolicy: 'same-origin',
  xFrameOptions: 'DENY',
})

/** Sets the same headers on every answer and forbids caching. A page keeps the content security policy it set itself. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  c.header('Cache-Control', 'no-store')
  let own: string | null = null
  await forData(c, async () => {
    await next()
    own = c.res.headers.get(POLICY)
  })
  if (own !== null) c.header(POLICY, own)
}
