import { expect, test } from 'vitest'
import { visitor } from '../harness/visitor.ts'

const DAY = 86_400

test.each([
  ['/favicon.ico', DAY],
  ['/icon.svg', DAY],
  ['/icon-192.png', DAY],
  ['/icon-512.png', DAY],
  ['/apple-touch-icon.png', DAY],
  ['/manifest.webmanifest', DAY],
  ['/og/home.png', DAY],
  ['/fonts/bricolage.woff2', 365 * DAY],
])('%s is cached for %d seconds', async (path, seconds) => {
  const { status, headers } = await visitor().call(path)
  expect(status).toBe(200)
  expect(headers.get('Cache-Control')).toContain(`max-age=${seconds}`)
})

const AT_THE_EDGE = 'public, max-age=0, s-maxage=60, must-revalidate'

test.each([
  ['/api/subscription/plan-amounts?currency=INR', AT_THE_EDGE],
  ['/api/subscription/plans', AT_THE_EDGE],
  ['/api/subscription/plans-with-pricing', AT_THE_EDGE],
  ['/api/app/policy', 'public, no-cache'],
])('%s may be kept, is asked for again each time, and is sent once', async (path, caching) => {
  const first = await visitor().call(path)
  expect(first.status).toBe(200)
  expect(first.headers.get('Cache-Control')).toBe(caching)
  const etag = first.headers.get('ETag') ?? ''
  expect(etag).toMatch(/^"\w+"$/)
  // When Cloudflare compresses an answer, it makes the tag weak.
  for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
    const again = await visitor().call(path, { headers: { 'if-none-match': known } })
    expect(again.status).toBe(304)
    expect(again.body).toBe('')
    expect(again.headers.get('ETag')).toBe(etag)
    expect(again.headers.get('Cache-Control')).toBe(caching)
    expect(again.headers.get('X-Request-Id')).not.toBeNull()
  }
  const changed = await visitor().call(path, { headers: { 'if-none-match': '"of-yesterday"' } })
  expect({ status: changed.status, body: changed.body }).toEqual({ status: 200, body: first.body })
})

test('the plans in another currency have another tag, and a rejected call has none', async () => {
  const inDollars = await visitor().call('/api/subscription/plans?currency=USD')
  const inRupees = await visitor().call('/api/subscription/plans?currency=INR')
  expect(inDollars.headers.get('ETag')).not.toBe(inRupees.headers.get('ETag'))
  const refused = await visitor().call('/api/subscription/plans?currency=EUR')
  expect(refused.status).toBe(400)
  expect(refused.headers.get('ETag')).toBeNull()
  expect(refused.headers.get('Cache-Control')).toBe('no-store')
})

test.each([
  '/_astro/app.gone.js',
  '/clips/gone.avif',
  '/clips/gone.mp4',
  '/fonts/gone.woff2',
  '/og/gone.png',
])('%s is not found, and no browser keeps that', async (path) => {
  const { status, headers } = await visitor().call(path)
  expect(status).toBe(404)
  expect(headers.get('Cache-Control')).toBe('no-store')
})

// The Worker would redirect them: a 404 comes from the static assets, which run no Worker.
test.each([
  '/wp-login.php',
  '/blog/wp-login.php',
  '/wp-admin/setup-config.php?step=1',
  '/wp-content/plugins',
  '/.env',
  '/.git/config',
  '/.aws/credentials',
  '/owa/auth/logon.aspx',
  '/cgi-bin/luci',
  '/backup.zip',
  '/dump.sql',
  '/index.jsp',
])('%s is not found, without a run of the Worker', async (path) => {
  const { status, headers } = await visitor().call(path)
  expect(status).toBe(404)
  expect(headers.get('Location')).toBeNull()
})

test.each(['/pricing', '/no/such/page', '/dashbord', '/sign-in', '/login/'])(
  '%s, which a person may have typed, leads to a page',
  async (path) => {
    const { status, headers } = await visitor().call(path)
    expect([302, 307]).toContain(status)
    expect(headers.get('Location')).toMatch(/^(https?:\/\/[^/]+)?\/(login)?$/)
  },
)
