import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

const POLICY = 'Content-Security-Policy'

/** For answers of the API: nothing in them is to be framed, run, sniffed or kept. */
const forData = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  strictTransportSecurity: 'max-age=63072000; includeSubDomains; preload',
  referrerPolicy: 'no-referrer',
  crossOriginOpenerPolicy: 'same-origin',
  crossOriginResourcePolicy: 'same-origin',
  xFrameOptions: 'DENY',
})

/** The same headers on every answer, none of which is kept; a page that the Worker makes brings a policy of its own. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  c.header('Cache-Control', 'no-store')
  let own: string | null = null
  await forData(c, async () => {
    await next()
    own = c.res.headers.get(POLICY)
  })
  if (own !== null) c.header(POLICY, own)
}
