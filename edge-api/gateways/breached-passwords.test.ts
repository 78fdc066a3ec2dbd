import { expect, test } from 'vitest'
import type { Log, LogFields } from '../domain/ports/log.ts'
import { breachServices } from './breached-passwords.ts'

function listeningLog() {
  const alerts: { event: string; fields: LogFields }[] = []
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    alert: (event, fields = {}) => alerts.push({ event, fields }),
  }
  return { alerts, log }
}

function servicesFor(BREACHED_PASSWORDS_URL: string | undefined, ENVIRONMENT = 'production') {
  const { alerts, log } = listeningLog()
  return { alerts, list: breachServices({ ENVIRONMENT, BREACHED_PASSWORDS_URL }, log) }
}

test.each([undefined, ''])('with the URL %j no list is used and no alert is raised', (url) => {
  expect(servicesFor(url)).toEqual({ alerts: [], list: null })
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
