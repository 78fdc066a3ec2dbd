import type { Hono } from 'hono'
import { SERVER } from '../../src/contract/messages.ts'
import type { AppEnv } from '../http/env.ts'
import { fail } from '../http/failure.ts'
import { keptByCaches } from '../http/kept-by-caches.ts'
import { buildDocument } from '../http/openapi/document.ts'
import { stylePolicy, renderPage } from '../http/openapi/page.ts'

export const DESCRIPTION_PATHS = ['/api/openapi.json', '/api/docs'] as const

/** The API's description: OpenAPI 3.1 for tools, and a page made from it for people. */
export function mountDescription(app: Hono<AppEnv>): void {
  const [json, page] = DESCRIPTION_PATHS
  app.get(json, ...keptByCaches, (c) => {
    c.set('route', `GET ${json}`)
    return c.json(buildDocument(c.env.ctx))
  })
  app.get(page, async (c) => {
    c.set('route', `GET ${page}`)
    const text = String(await renderPage(buildDocument(c.env.ctx), c.env.ctx.brand.colour))
    c.header('Content-Security-Policy', await stylePolicy(text))
    return c.html(text)
  })
  for (const path of DESCRIPTION_PATHS) {
    app.all(path, (c) => {
      c.header('Allow', 'GET')
      return fail(c, 'METHOD_NOT_ALLOWED', SERVER.method)
    })
  }
}
