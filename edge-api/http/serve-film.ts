import { type Assets, missingFile } from './serve-shell.ts'

/** Whether a path is a film of the landing page. */
export function isFilm(pathname: string): boolean {
  return /^\/clips\/[\w-]+\.(mp4|webm)$/.test(pathname)
}

/**
 * Answers with a film, or with the part that `Range` asks for (RFC 9110 §14). Static assets always send the whole file:
 * WebKit then plays none, and no browser can seek.
 */
export async function serveFilm(request: Request, assets: Assets): Promise<Response> {
  const whole = await assets.fetch(request)
  if (whole.status === 404) return missingFile()
  if (whole.status !== 200) return whole
  const headers = new Headers(whole.headers)
  headers.set('Accept-Ranges', 'bytes')
  const asked = askedRange(request, headers)
  if (asked === null) return new Response(whole.body, { headers })
  const film = await whole.arrayBuffer()
  const size = film.byteLength
  const { first, last } = within(asked, size)
  if (first > last) {
    headers.set('Content-Range', `bytes */${size}`)
    return new Response(null, { status: 416, headers })
  }
  headers.set('Content-Range', `bytes ${first}-${last}/${size}`)
  headers.set('Content-Length', String(last - first + 1))
  return new Response(film.slice(first, last + 1), { status: 206, headers })
}

/** `bytes=first-last` as sent; each may be left out, but not both. */
interface Range {
  first: string
  last: string
}

/**
 * The one range of a request; null for none, several, a backward one, another unit, or when `If-Range` names another
 * version of the file.
 * All of these may be answered with the whole file.
 */
function askedRange({ method, headers: sent }: Request, headers: Headers): Range | null {
  const condition = sent.get('If-Range')
  if (method !== 'GET' || (condition !== null && condition !== headers.get('ETag'))) return null
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(sent.get('Range') ?? '') ?? []
  const isBackwards = first !== '' && last !== '' && Number(first) > Number(last)
  return (first === '' && last === '') || isBackwards ? null : { first, last }
}

/** The positions of the first and the last byte; the first is beyond the last when the film has no such part. */
function within({ first, last }: Range, size: number): { first: number; last: number } {
  if (first === '') return { first: Math.max(0, size - Number(last)), last: size - 1 }
  return { first: Number(first), last: Math.min(last === '' ? size : Number(last), size - 1) }
}
