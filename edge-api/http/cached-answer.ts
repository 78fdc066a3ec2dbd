import type { Context as HonoContext, Hono } from 'hono'
import type { CallSuccess, Endpoint } from '../../src/contract/endpoint.ts'
import { sha256Hex } from '../domain/encoding.ts'
import type { PublicHandler } from '../domain/handler.ts'
import type { AppEnv } from './env.ts'
import { mountAnswer } from './mount-endpoint.ts'
import { jsonHeaders } from './security-headers.ts'

/** Caches may keep the answer, and ask each time whether it is still current: a deployment changes it. */
export const ASKED_EACH_TIME = 'public, no-cache'

/** A shared cache may give it for a minute without asking, a browser asks each time. */
export const A_MINUTE_AT_THE_EDGE = 'public, max-age=0, s-maxage=60, must-revalidate'

const TAG_CHARACTERS = 32

/** An answer that is the same for everybody, in the bytes that are sent. */
type CachedAnswer = Awaited<ReturnType<typeof toCached>>

/** Makes an answer to cache. */
async function toCached(text: string) {
  return { text, tag: `"${(await sha256Hex(text)).slice(0, TAG_CHARACTERS)}"` }
}

/** Answers with cached JSON, or with 304 if the client already has it. */
function answerCached(
  c: HonoContext<AppEnv>,
  { text, tag }: CachedAnswer,
  caching: string,
): Response {
  const headers = jsonHeaders()
  headers.set('Cache-Control', caching)
  headers.set('ETag', tag)
  if (!isKnown(c.req.header('If-None-Match'), tag)) return new Response(text, { headers })
  headers.delete('Content-Type')
  return new Response(null, { status: 304, headers })
}

/** Whether the client has the answer with this tag. An edge that compresses an answer makes its tag a weak one. */
function isKnown(given: string | undefined, tag: string): boolean {
  const tags = given?.split(',').map((part) => part.trim().replace(/^W\//, '')) ?? []
  return tags.includes(tag) || given?.trim() === '*'
}

/** Mounts a public endpoint whose answer depends on its query alone. Each isolate makes each answer once. */
export function mountCached<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  { handler, caching }: { handler: PublicHandler<E>; caching: string },
): void {
  const made = new Map<string, CachedAnswer>()
  mountAnswer(app, endpoint, async (c, call) => {
    const key = JSON.stringify(call.query)
    const known = made.get(key)
    if (known !== undefined) return answerCached(c, known, caching)
    const success: CallSuccess<E> = await handler(c.env.ctx, call)
    const cached = await toCached(JSON.stringify(success))
    made.set(key, cached)
    return answerCached(c, cached, caching)
  })
}
