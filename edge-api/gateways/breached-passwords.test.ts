import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listenInTest } from '#harness/listen.ts'
import type { Log, LogFields } from '../domain/ports/log.ts'
import { breachServices } from './breached-passwords.ts'

function listeningLog() {
  const alerts: { event: string; fields: LogFields }[] = []
  const warnings: LogFields[] = []
  const log: Log = {
    info: () => undefined,
    warn: (_event, fields = {}) => warnings.push(fields),
    error: () => undefined,
    alert: (event, fields = {}) => alerts.push({ event, fields }),
  }
  return { alerts, warnings, log }
}

function servicesFor(BREACHED_PASSWORDS_URL: string | undefined, ENVIRONMENT = 'production') {
  const { alerts, warnings, log } = listeningLog()
  return { alerts, warnings, list: breachServices({ ENVIRONMENT, BREACHED_PASSWORDS_URL }, log) }
}

test.each([undefined, ''])('with the URL %j no list is used and no alert is raised', (url) => {
  expect(servicesFor(url)).toMatchObject({ alerts: [], list: null })
})

test.each([
  ['https://api.pwnedpasswords.com', 'production'],
  ['https://list.example/mirror/', 'local'],
  ['http://127.0.0.1:8080', 'test'],
])('%s is asked in %s', (url, environment) => {
  const { alerts, list } = servicesFor(url, environment)
  expect(list).not.toBeNull()
  expect(alerts).toEqual([])
})

test.each([
  ['http://api.pwnedpasswords.com', 'production'],
  ['http://127.0.0.1:8080', 'production'],
  ['http://127.0.0.1:8080', 'staging'],
  ['http://list.example', 'local'],
  ['https://somebody:secret-of-theirs@list.example', 'production'],
  ['https://list.example/?key=secret-of-theirs', 'production'],
  ['not an address', 'production'],
])('%s is not asked in %s, and the alert names the variable without its value', (url, env) => {
  const { alerts, list } = servicesFor(url, env)
  expect(list).toBeNull()
  expect(alerts).toEqual([
    {
      event: 'breached passwords are not asked',
      fields: { reason: 'BREACHED_PASSWORDS_URL must be an https address' },
    },
  ])
})

const PASSWORD = 'Aa1-Quiet-Otter'
const sha1Of = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

/** The lines of an answer that counts this password, among other hashes and padding. */
const rangeOf = (password: string, count: number) =>
  [`${sha1Of(password).slice(5)}:${count}`, `${'0'.repeat(35)}:7`, `${'F'.repeat(35)}:0`].join(
    '\r\n',
  )
const others = rangeOf('another', 3)

const answers: [
  string,
  (response: ServerResponse, endWaiting: () => void) => void,
  boolean,
  RegExp | null,
][] = [
  ['counts it', (response) => response.end(rangeOf(PASSWORD, 3)), true, null],
  ['has it as padding', (response) => response.end(rangeOf(PASSWORD, 0)), false, null],
  ['answers 500', (response) => response.writeHead(500).end('no'), false, /^status 500$/],
  ['answers with HTML', (response) => response.end('<!doctype html>'), false, /^not a list/],
  [
    'sends elsewhere',
    (response) => response.writeHead(302, { location: '/x' }).end(),
    false,
    /^status 302$/,
  ],
  ['is cut off', (response) => response.end(others.slice(0, -4)), false, /^not a list/],
  [
    'stops in the middle',
    (response, endWaiting) => void response.writeHead(200).write(others, endWaiting),
    false,
    /^TimeoutError$/,
  ],
  [
    'breaks off',
    (response) => {
      response.writeHead(200, { 'content-length': '9999' }).write(others)
      setImmediate(() => response.destroy())
    },
    false,
    /^TypeError$/,
  ],
]

test.each(answers)(
  'of a list that %s a password is breached or not, and only a failure is a warning',
  async (_what, answer, isBreached, warning) => {
    // The test ends the waiting, not the clock, so that a busy machine is not late with the other answers.
    const ends = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ends.signal)
    onTestFinished(() => timeout.mockRestore())
    const asked: unknown[] = []
    const server = createServer(({ url, headers }, response) => {
      asked.push([url, headers['add-padding']])
      answer(response, () => ends.abort(new DOMException('', 'TimeoutError')))
    })
    const { list, warnings } = servicesFor(await listenInTest(server), 'test')
    expect(await list?.has(PASSWORD)).toBe(isBreached)
    // Five characters of its hash are all that is sent.
    expect(asked).toEqual([[`/range/${sha1Of(PASSWORD).slice(0, 5)}`, 'true']])
    const expected = warning === null ? [] : [{ reason: expect.stringMatching(warning) }]
    expect(warnings).toEqual(expected)
    expect(timeout).toHaveBeenCalledExactlyOnceWith(1_200)
  },
)
