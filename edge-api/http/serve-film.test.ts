import { expect, test } from 'vitest'
import { isFilm, serveFilm } from './serve-film.ts'

const FILM = 'abcdefghij'
const assets = {
  fetch: ({ url }: Request) =>
    Promise.resolve(
      url.endsWith('/clips/known.webm')
        ? new Response(FILM, { headers: { 'Content-Type': 'video/webm', ETag: '"v1"' } })
        : new Response(null, { status: 404 }),
    ),
}

async function ask(headers: Record<string, string>, path = '/clips/known.webm') {
  const request = new Request(`https://sotto.example${path}`, { headers })
  const answer = await serveFilm(request, assets)
  const range = answer.headers.get('Content-Range')
  return { status: answer.status, range, text: await answer.text(), headers: answer.headers }
}

test.each([
  ['bytes=0-', 206, 'bytes 0-9/10', FILM],
  ['bytes=0-1', 206, 'bytes 0-1/10', 'ab'],
  ['bytes=4-6', 206, 'bytes 4-6/10', 'efg'],
  ['bytes=8-99', 206, 'bytes 8-9/10', 'ij'],
  ['bytes=-3', 206, 'bytes 7-9/10', 'hij'],
  ['bytes=-99', 206, 'bytes 0-9/10', FILM],
  ['bytes=10-', 416, 'bytes */10', ''],
  ['bytes=-0', 416, 'bytes */10', ''],
  ['bytes=5-2', 200, null, FILM],
  ['bytes=-', 200, null, FILM],
  ['bytes=0-1,4-5', 200, null, FILM],
  ['lines=0-1', 200, null, FILM],
])('Range: %s answers %d, %s, "%s"', async (range, status, contentRange, text) => {
  expect(await ask({ Range: range })).toMatchObject({ status, range: contentRange, text })
})

test('every answer says that ranges are served, and keeps the type and the tag of the film', async () => {
  for (const sent of [{}, { Range: 'bytes=2-3' }]) {
    const { headers } = await ask(sent)
    expect(Object.fromEntries(headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-type': 'video/webm',
      etag: '"v1"',
    })
  }
})

test('a part of another version of the film is answered with the whole film', async () => {
  expect(await ask({ Range: 'bytes=2-3', 'If-Range': '"v1"' })).toMatchObject({ text: 'cd' })
  expect(await ask({ Range: 'bytes=2-3', 'If-Range': '"v0"' })).toMatchObject({
    status: 200,
    text: FILM,
  })
})

test('a film that is not there is 404', async () => {
  expect((await ask({}, '/clips/gone.webm')).status).toBe(404)
})

test.each([
  ['/clips/system-design.webm', true],
  ['/clips/system-design.mp4', true],
  ['/clips/system-design.avif', false],
  ['/clips/../secret.mp4', false],
  ['/', false],
])('%s is a film: %s', (path, is) => {
  expect(isFilm(path)).toBe(is)
})
