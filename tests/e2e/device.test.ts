import { expect, inject, test } from 'vitest'
import { authorizeDeviceEndpoint, deviceTokenEndpoint } from '../../src/contract/device.ts'
import { brand } from '../../site/brand.ts'
import { ask, askGood } from '../harness/ask.ts'
import { newVisitor } from '../harness/visitor.ts'
import { openAs, registeredUser } from './support/user.ts'

/** A desktop app that requests a sign-in. */
async function requestSignIn() {
  const app = newVisitor(inject('siteUrl'))
  const client_name = 'Ada’s MacBook'
  const asked = await askGood(app, authorizeDeviceEndpoint, { body: { client_name } })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const body = { grant_type, device_code: asked.device_code } as const
  const poll = () => ask(app, deviceTokenEndpoint, { body })
  return { code: asked.user_code, poll }
}

test('after a code is typed the page names the app, and "Connect" signs it in', async () => {
  const { code, poll } = await requestSignIn()
  const { page } = await openAs((await registeredUser()).bearer, '/device')
  await page.getByLabel('Code').fill(code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Connect Ada’s MacBook?' }).waitFor()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('heading', { name: 'Ada’s MacBook is connected' }).waitFor()
  const back = page.getByRole('link', { name: 'Back to the app' })
  await expect.poll(() => back.getAttribute('href')).toBe(`${brand.appScheme}connected`)
  expect((await poll()).status).toBe(200)
})
