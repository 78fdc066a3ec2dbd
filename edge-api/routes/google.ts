import type { Context as HonoContext, Hono, MiddlewareHandler } from 'hono'
import {
  googleCallbackEndpoint,
  googleFinishEndpoint,
  type GoogleProblem,
  googleStartEndpoint,
  providersEndpoint,
} from '../../src/contract/google.ts'
import type { AppEnv } from '../http/env.ts'
import { honoPath, mountAnswer, mountPublic } from '../http/mount-endpoint.ts'
import {
  cookieOf,
  keepCookie,
  limitTransactions,
  readCookie,
  spendCookie,
} from '../http/sign-in-cookie.ts'

const google = () => import('../domain/sign-in/google-sign-in.ts')
const googleTicket = () => import('../domain/sign-in/google-ticket.ts')

/** Signing in with Google: two URLs the browser is redirected through, and the call that finishes. */
export function mountGoogle(app: Hono<AppEnv>): void {
  mountPublic(app, providersEndpoint, (ctx) =>
    Promise.resolve({ success: true, google: ctx.identity !== null }),
  )
  for (const endpoint of [googleStartEndpoint, googleCallbackEndpoint]) {
    app.on(endpoint.method, [honoPath(endpoint)], backToLogin)
  }
  mountAnswer(app, googleStartEndpoint, async (c, { query }) => {
    const { ctx } = c.env
    const next = query.next ?? null
    if (ctx.identity === null) return c.redirect(loginWith('google_unavailable', next), 302)
    const { startGoogleSignIn, TRANSACTION_MS } = await google()
    const { location, cookie, state } = await startGoogleSignIn(ctx, ctx.identity, next)
    limitTransactions(c)
    keepCookie(c, cookieOf('google_transaction', state), {
      value: cookie,
      maxAgeMs: TRANSACTION_MS,
    })
    return c.redirect(location, 302)
  })
  mountAnswer(app, googleCallbackEndpoint, async (c, { query }) => {
    const { receiveGoogleAnswer } = await google()
    const { ticket, problem, next } = await spendCookie(
      c,
      cookieOf('google_transaction', query.state),
      (cookie) => receiveGoogleAnswer(c.env.ctx, { ...query, cookie }),
    )
    if (ticket === null) return c.redirect(loginWith(problem, next), 302)
    const { GOOGLE_TICKET_MS } = await googleTicket()
    keepCookie(c, cookieOf('google_pass', ticket.code), {
      value: ticket.secret,
      maxAgeMs: GOOGLE_TICKET_MS,
    })
    // The fragment reaches neither a server's log nor a referrer.
    const fragment = new URLSearchParams({
      google: ticket.code,
      ...(next === null ? {} : { next }),
    })
    return c.redirect(`/login#${fragment.toString()}`, 302)
  })
  mountAnswer(app, googleFinishEndpoint, async (c, { body }) => {
    const { finishGoogleSignIn } = await googleTicket()
    const success = await spendCookie(c, cookieOf('google_pass', body.code), (secret) =>
      finishGoogleSignIn(c.env.ctx, { code: body.code, secret }),
    )
    return c.json(success)
  })
}

/** The browser shows these answers, so an error becomes a redirect to /login with a sentence instead of JSON. */
const backToLogin: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (c.res.status < 400) return
  const problem = c.res.status === 429 ? 'google_busy' : 'google_failed'
  c.res = new Response(null, {
    status: 302,
    headers: { Location: loginWith(problem, await nextIn(c)) },
  })
}

/** Where the sign-in of a rejected call leads: as the browser asked at its start, or kept until it came back. */
async function nextIn(c: HonoContext<AppEnv>): Promise<string | null> {
  const { next, state } = c.req.query()
  if (state === undefined) return googleStartEndpoint.query.parse({ next }).next ?? null
  const { nextOf } = await google()
  return nextOf(c.env.ctx, readCookie(c, cookieOf('google_transaction', state)))
}

function loginWith(problem: GoogleProblem, next: string | null): string {
  const query = new URLSearchParams({ problem, ...(next === null ? {} : { next }) })
  return `/login?${query.toString()}`
}
