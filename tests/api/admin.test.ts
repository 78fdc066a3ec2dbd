import { changeRows, rowsOf } from '../harness/fixture/rows.ts'
import { createServer } from 'node:http'
import { eq, like } from 'drizzle-orm'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { adminLog } from '../../edge-api/db/schema/admin.ts'
import { users } from '../../edge-api/db/schema/users.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { freePort } from '../../tools/services/ports.ts'
import { askGood } from '../harness/ask.ts'
import { listen, stopServer } from '../harness/listen.ts'
import { createUser, type TestUser } from '../harness/user.ts'
import { startWorker, type Worker } from '../harness/services.ts'
import { database } from '../harness/stored.ts'
import { type CallOptions, newVisitor, visitor } from '../harness/visitor.ts'

const AUDIENCE = 'audience-of-the-application'
const EVIL = `<script>alert(1)</script>"'><img src=x>`

/** A team at Cloudflare Access, whose keys a server on this machine serves while it is up. */
const team = {
  isUp: false,
  url: '',
  key: await generateKeyPair('RS256'),
  foreign: await generateKeyPair('RS256'),
}
const keyServer = createServer((request, response) => {
  void exportJWK(team.key.publicKey).then((jwk) => {
    const isKeys = request.url === '/cdn-cgi/access/certs'
    response.writeHead(team.isUp && isKeys ? 200 : 500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ keys: [{ ...jwk, kid: 'k1', alg: 'RS256' }] }))
  })
})
let worker: Worker
let user: TestUser

beforeAll(async () => {
  team.url = await listen(keyServer)
  const port = await freePort()
  worker = await startWorker({
    databaseUrl: inject('databaseUrl'),
    emulatorUrl: inject('emulatorUrl'),
    vars: { ACCESS_TEAM: team.url, ACCESS_AUDIENCE: AUDIENCE, ADMIN_HOST: `localhost:${port}` },
    port,
  })
  user = await createUser({ hasPlan: true })
})
afterAll(async () => {
  await worker.stop()
  await stopServer(keyServer)
})

const site = () => worker.url

interface Claims {
  email?: string
  iss?: string
  aud?: string
  /** Seconds from now. */
  exp?: number
}

const claimsOf = ({
  email = 'ada@team.example',
  iss = team.url,
  aud = AUDIENCE,
  exp = 60,
}: Claims) => ({
  ...{ iss, aud, iat: now() - 10, exp: now() + exp },
  ...(email === '' ? {} : { email }),
})
const now = () => Math.floor(Date.now() / 1_000)
const sign = (claims: Claims = {}, key = team.key.privateKey) =>
  new SignJWT(claimsOf(claims)).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(key)

async function ask(path: string, assertion: string, options: CallOptions = {}) {
  const headers = { 'cf-access-jwt-assertion': assertion, ...options.headers }
  return newVisitor(site()).call(path, { ...options, headers })
}

/** Sends a form as the browser does from a page of this origin. */
async function post(
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = { origin: site() },
) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const text = new URLSearchParams(form).toString()
  return ask(path, await sign(), { method: 'POST', text, headers: { ...type, ...headers } })
}

/** The hidden fields of a page's form. */
function hiddenIn(html: unknown): Record<string, string> {
  const fields = String(html).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  const text = (value = '') =>
    value
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  return Object.fromEntries([...fields].map(([, name = '', value]) => [name, text(value)]))
}

const logged = (reason: string) => rowsOf(database(), adminLog, like(adminLog.reason, reason))

// First, before the Worker has ever had the keys.
test('while the keys cannot be had nobody is let in, and no fault tells more', async () => {
  const answer = await ask('/admin', await sign())
  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toBe('60')
  team.isUp = true
  expect((await ask('/admin', await sign())).status).toBe(200)
})

test('the door opens to whom Access vouches for, and is 404 for everybody else, whatever the method', async () => {
  const { bearer } = user
  const good = await sign()
  const wrong: Record<string, string | undefined> = {
    'a service token': await sign({ email: '' }),
    'an expired one': await sign({ exp: -5 }),
    'of another application': await sign({ aud: 'other' }),
    'of another team': await sign({ iss: 'https://other.cloudflareaccess.com' }),
    'signed by somebody else': await sign({}, team.foreign.privateKey),
    unsigned: new UnsecuredJWT(claimsOf({})).encode(),
    tampered: `${good.slice(0, -6)}AAAAAA`,
    'no token': 'nothing',
    'the token of a customer': bearer,
  }
  for (const [what, assertion = ''] of Object.entries(wrong)) {
    const answer = await ask('/admin', assertion)
    expect([answer.status, answer.body], what).toEqual([404, 'Not found'])
  }
  const paths = ['/admin', '/admin/style.css', `/admin/customers/${user.userId}`, '/admin/none']
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const strangers = [
        newVisitor(site()).call(path, { method }),
        newVisitor(site()).call(path, { method, bearer }),
      ]
      for (const { status } of await Promise.all(strangers))
        expect(status, `${method} ${path}`).toBe(404)
    }
  }
  const byCookie = { headers: { cookie: `CF_Authorization=${good}` } }
  expect((await newVisitor(site()).call('/admin', byCookie)).status).toBe(200)
  // A cookie does not help a header that is wrong.
  expect((await ask('/admin', 'nothing', byCookie)).status).toBe(404)
  const elsewhere = newVisitor(site().replace('localhost', '127.0.0.1'))
  const headers = { 'cf-access-jwt-assertion': good }
  expect((await elsewhere.call('/admin', { headers })).status, 'another host').toBe(404)
  expect((await newVisitor(site()).call('/__local/access')).status, 'with a team').toBe(404)
})

test('no page is cached, indexed, framed or scripted, and its style sheet comes with it', async () => {
  const { headers, body } = await ask('/admin', await sign())
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'x-frame-options': 'DENY',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  })
  expect(body).not.toContain('<script')
  const sheet = await ask('/admin/style.css', await sign())
  expect(sheet.headers.get('Content-Type')).toContain('text/css')
  expect(sheet.body).toContain('--paper')
  expect(sheet.body, 'the policy allows no font').not.toContain('@font-face')
})

test('names, tickets and addresses with markup are text on every page', async () => {
  const { userId, email } = user
  const db = database()
  await changeRows(db, users, { firstName: EVIL }, eq(users.id, userId))
  const ticket = { email, severity: 'high', isFeatureRequest: false, query: EVIL } as const
  const { ticketNumber } = await askGood(user, submitTicketEndpoint, { body: ticket })
  const announce = new URLSearchParams({ text: EVIL, until: EVIL, back: `/admin?"><script>` })
  const paths = {
    [`/admin/customers/${userId}`]: 200,
    [`/admin/submissions/${ticketNumber}`]: 200,
    '/admin/submissions?kind=tickets': 200,
    [`/admin/find?q=${encodeURIComponent(EVIL)}`]: 200,
    '/admin/find?q=m_': 200,
    [`/admin/actions/announce?${announce}`]: 400,
    [`/admin/actions/suspend?user=${userId}&x=${encodeURIComponent(EVIL)}`]: 200,
  }
  for (const [path, status] of Object.entries(paths)) {
    const { body, ...answer } = await ask(path, await sign())
    expect(answer.status, path).toBe(status)
    expect(body, path).not.toMatch(/<script|<img|="'>/)
    expect(body, path).toContain('<title>')
  }
  const { body } = await ask(`/admin/submissions/${ticketNumber}`, await sign())
  expect(body).toContain(
    `href="mailto:${encodeURIComponent(email)}?subject=Re%3A%20${ticketNumber}"`,
  )
  const csv = await ask('/admin/submissions.csv?kind=tickets', await sign())
  expect(csv.headers.get('Content-Disposition')).toContain('tickets.csv')
  expect(csv.body).toContain(`"${EVIL.replaceAll('"', '""')}"`)
})

test('a form changes something once, only with its token, from its own page, with a reason, and leads back', async () => {
  const { userId } = await createUser()
  const from = `/admin/customers/${userId}`
  const path = '/admin/actions/suspend'
  const referer = `${site()}${from}?done=1`
  const page = await ask(`${path}?user=${userId}`, await sign(), { headers: { referer } })
  expect(page.body).toContain('Nobody can sign in to the account.')
  const form: Record<string, string> = { ...hiddenIn(page.body), reason: `Door ${userId}` }
  expect(form).toMatchObject({ user: userId, back: from, id: expect.stringMatching(/^act_/) })
  const sameSite = { origin: 'https://sotto.example', 'sec-fetch-site': 'same-site' }
  const expectRejection = async (
    status: number,
    changed: object,
    headers?: Record<string, string>,
  ) => expect((await post(path, { ...form, ...changed }, headers)).status).toBe(status)
  await expectRejection(403, {}, sameSite)
  await expectRejection(403, {}, {})
  await expectRejection(400, { id: '' })
  await expectRejection(400, { reason: ' ' })
  await expectRejection(409, { shown: '["Nothing changes."]' })
  expect(await logged(`Door ${userId}`)).toEqual([])
  for (const answer of [await post(path, form), await post(path, form)]) {
    expect(answer.status).toBe(303)
    expect(answer.headers.get('Location')).toBe(`${from}?done=1`)
  }
  expect(await logged(`Door ${userId}`)).toMatchObject([
    { admin: 'ada@team.example', kind: 'suspend' },
  ])
  const lift = await ask(`/admin/actions/lift_suspension?user=${userId}`, await sign())
  const evil = { ...form, ...hiddenIn(lift.body), back: '//evil.example' }
  const lifted = await post('/admin/actions/lift_suspension', evil)
  expect(lifted.headers.get('Location')).toBe(`${from}?done=1`)
})

test('every page answers, by its address alone', async () => {
  const { userId } = user
  for (const path of [
    '/admin',
    '/admin/log',
    '/admin/flags',
    '/admin/submissions?kind=applications&state=done',
  ]) {
    expect((await ask(path, await sign())).status, path).toBe(200)
  }
  for (const path of [
    '/admin/none',
    '/admin/customers/usr_none',
    '/admin/submissions/T-999999',
    '/admin/actions/none',
    '/admin/disputes/disp_none',
    `/admin/actions/refund?user=${userId}&purchase=pur_none`,
  ]) {
    expect((await ask(path, await sign())).status, path).toBe(404)
  }
  const found = await ask(`/admin/find?q=${userId}`, await sign())
  expect([found.status, found.headers.get('Location')]).toEqual([302, `/admin/customers/${userId}`])
})

test('on a developer’s machine the site plays Access, and nowhere else', async () => {
  const closed = await visitor().call('/admin')
  expect([closed.status, closed.headers.get('Location')]).toEqual([302, '/__local/access'])
  const answer = await visitor().call('/__local/access', {
    method: 'POST',
    text: 'email=grace%40team.example',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/admin'])
  const cookie = (answer.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
  const { body } = await visitor().call('/admin', { headers: { cookie } })
  expect(body).toContain('grace@team.example')
  expect((await newVisitor(site()).call('/admin', { headers: { cookie } })).status).toBe(404)
})
