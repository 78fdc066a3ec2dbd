import { expect, test } from 'vitest'
import { brand } from '../../site/brand.ts'
import { buildDocument } from '../../site/openapi/document.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { askGood } from '../harness/ask.ts'
import { visitor } from '../harness/visitor.ts'

test('/api/docs is a page without scripts and has a Content-Security-Policy', async () => {
  const { status, headers, body } = await visitor().call('/api/docs')
  expect(status).toBe(200)
  expect(headers.get('Content-Type')).toMatch(/^text\/html/)
  expect(headers.get('Content-Security-Policy')).toContain("script-src 'self' 'sha256-")
  const page = String(body)
  for (const { id, path } of ENDPOINTS) {
    expect(page).toContain(`id="${id}"`)
    expect(page).toContain(path)
  }
  expect(page).not.toMatch(/<script|<link|<img|src=|@import|url\((?!\/fonts\/)/)
})

test('/api/openapi.json is the description, and names its own origin as the server', async () => {
  const { status, headers, body } = await visitor().call('/api/openapi.json')
  expect(status).toBe(200)
  expect(headers.get('Content-Type')).toMatch(/^application\/json/)
  expect(body).toEqual(JSON.parse(JSON.stringify(buildDocument(brand))))
  expect(body).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/' }] })
})

test('the local mailbox has a Content-Security-Policy that allows its styles', async () => {
  const { status, headers } = await visitor().call('/__local/mail')
  expect(status).toBe(200)
  expect(headers.get('Content-Security-Policy')).toContain('style-src')
  const beside = await visitor().call('/__local/nothing')
  expect(beside.status).toBe(302)
  expect(beside.headers.get('Location')).toBe('/')
})

test('health says that the Worker is alive and every part ready', async () => {
  await askGood(visitor(), liveEndpoint)
  const { ready, parts } = await askGood(visitor(), healthEndpoint)
  expect(ready).toBe(true)
  expect(Object.keys(parts).toSorted()).toEqual(
    expect.arrayContaining(['database', 'mail', 'payments', 'webhooks']),
  )
  expect(parts['database']?.status).toBe('ok')
})
