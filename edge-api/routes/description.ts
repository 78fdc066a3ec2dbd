import type { Hono } from 'hono'
import type { Context } from '../domain/context.ts'
import type { AppEnv } from '../http/env.ts'
import { answerKept, ASKED_EACH_TIME, keep } from '../http/kept-by-caches.ts'

export const DESCRIPTION_PATHS = ['/api/openapi.json', '/api/docs'] as const

/**
 * The API's description: OpenAPI 3.1 for tools, and a page made from it for people. What makes it is loaded when somebody
 * asks, and what it made is kept, because neither changes while an isolate lives.
 */
export function mountDescription(app: Hono<AppEnv>): void {
  const [json, page] = DESCRIPTION_PATHS
  const describe = describer()
  app.get(json, async (c) => {
    c.set('route', `GET ${json}`)
    const { document } = await describe(c.env.ctx)
    return answerKept(c, document, ASKED_EACH_TIME)
  })
  app.get(page, async (c) => {
    c.set('route', `GET ${page}`)
    const { text, policy } = await describe(c.env.ctx)
    c.header('Content-Security-Policy', policy)
    return c.html(text)
  })
}

/** Makes what describes the API to the callers of an origin, once. */
function describer() {
  let made: Awaited<ReturnType<typeof makeDescription>> | null = null
  return async (ctx: Context) => {
    if (made?.origin !== ctx.origin) made = await makeDescription(ctx)
    return made
  }
}

async function makeDescription(ctx: Context) {
  const { buildDocument } = await import('../http/openapi/document.ts')
  const { renderPage, stylePolicy } = await import('../http/openapi/page.ts')
  const document = buildDocument(ctx)
  const text = String(await renderPage(document, ctx.brand.colour))
  const policy = await stylePolicy(text)
  return { origin: ctx.origin, document: await keep(JSON.stringify(document)), text, policy }
}
