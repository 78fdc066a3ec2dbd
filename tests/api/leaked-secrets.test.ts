import { newRegistration } from '../harness/registration.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import {
  changePasswordEndpoint,
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from '../../src/contract/credential.ts'
import {
  authorizeDeviceEndpoint,
  confirmDeviceEndpoint,
  deviceTokenEndpoint,
} from '../../src/contract/device.ts'
import { createOrderEndpoint, verifyPaymentEndpoint } from '../../src/contract/purchase.ts'
import { loginEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { ask, askGood } from '../harness/ask.ts'
import { type Site, startSite, testSecrets } from '../harness/services.ts'
import { mailedSecret, mailsTo } from '../harness/stored.ts'
import { type Answer, newVisitor, type Visitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/world/razorpay.ts'

// A separate site, so that its logs hold only what this file does.
const state: { site?: Site } = {}
beforeAll(async () => {
  state.site = await startSite()
})
afterAll(() => state.site?.stop())

function site(): Site {
  if (state.site === undefined) throw new Error('the site did not start')
  return state.site
}

/** Records every answer, so that the test can search all of them. */
function watched(answers: Answer[]): Visitor {
  const visitor = newVisitor(site().worker.url)
  const call: Visitor['call'] = async (path, options) => {
    const answer = await visitor.call(path, options)
    answers.push(answer)
    return answer
  }
  return { ...visitor, call }
}

const signedIn = (visitor: Visitor, bearer: string): Visitor => ({
  ...visitor,
  call: (path, options = {}) => visitor.call(path, { bearer, ...options }),
})

const CANARY = `Canary-${randomUUID()}-9`
const PASSWORDS = [`${CANARY}-a`, `${CANARY}-b`, `${CANARY}-c`]

/** Makes every call that handles a secret, valid and invalid, and returns the secrets that were issued. */
async function everySecretFlow(visitor: Visitor) {
  const url = site().sqld.url
  const [password = '', second = '', third = ''] = PASSWORDS
  const person = newRegistration(password)
  const { email } = person
  const registered = await askGood(visitor, registerEndpoint, { body: person })
  await ask(visitor, registerEndpoint, { body: person })
  await ask(visitor, registerEndpoint, { body: { ...person, username: '!' } })
  const verify = await mailedSecret(email, 'verify-email', url)
  await askGood(visitor, verifyEmailEndpoint, { params: { token: verify } })
  await ask(visitor, loginEndpoint, { body: { email, password: `${password}-wrong` } })
  const { token } = await askGood(visitor, loginEndpoint, { body: { email, password } })
  const me = signedIn(visitor, token)
  await ask(signedIn(visitor, `${token}x`), meEndpoint)
  const changed = { currentPassword: password, newPassword: second }
  await askGood(me, changePasswordEndpoint, { body: changed })
  await askGood(visitor, forgotPasswordEndpoint, { body: { email } })
  const reset = await mailedSecret(email, 'reset-password', url)
  const chosen = { params: { token: reset }, body: { password: third } }
  await askGood(visitor, resetPasswordEndpoint, chosen)
  await ask(visitor, resetPasswordEndpoint, chosen)
  const again = await askGood(visitor, loginEndpoint, { body: { email, password: third } })
  const owner = signedIn(visitor, again.token)
  const device = await askGood(visitor, authorizeDeviceEndpoint, { body: {} })
  const approved = { userCode: device.user_code, approve: true }
  await askGood(owner, confirmDeviceEndpoint, { body: approved })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const poll = { grant_type, device_code: device.device_code } as const
  const desktop = await askGood(visitor, deviceTokenEndpoint, { body: poll })
  const { order } = await askGood(owner, createOrderEndpoint, { body: { planType: 'pro' } })
  const triple = await controlOf(site().emulator.url).pay(order.id)
  await askGood(owner, verifyPaymentEndpoint, { body: triple })
  await ask(owner, useTokensEndpoint, { body: { amount: 10 } })
  await visitor.call(`/verify-email/${verify}`)
  await visitor.call(`/reset-password/${reset}`)
  await visitor.call('/api/auth/me', { headers: { authorization: `Basic ${CANARY}` } })
  const bearers = [registered.token, token, again.token, desktop.access_token]
  return { email, links: [verify, reset], bearers, deviceCode: device.device_code }
}

const providerSecrets = [
  testSecrets.RAZORPAY_KEY_SECRET,
  testSecrets.RAZORPAY_WEBHOOK_SECRETS,
  testSecrets.JWT_SECRETS.split(':')[1] ?? '',
]

test('no log line, answer or mail holds a password, a bearer token, a mailed secret or a provider secret', async () => {
  const answers: Answer[] = []
  const visitor = watched(answers)
  const { email, links, bearers, deviceCode } = await everySecretFlow(visitor)
  await site().worker.runCron()
  await site().sqld.kill()
  await ask(visitor, loginEndpoint, { body: { email, password: PASSWORDS[2] ?? '' } })
  await site().sqld.restart()
  const log = site().worker.log()
  const text = log.join('\n')
  expect(log.length).toBeGreaterThan(20)
  for (const secret of [CANARY, ...links, ...bearers, deviceCode, email, ...providerSecrets]) {
    expect(text).not.toContain(secret)
  }
  // Each part of a bearer token is as secret as the whole.
  for (const bearer of bearers) expect(text).not.toContain(bearer.split('.')[2])

  // Answers hold the bearer token they issue, and no other secret.
  const answered = answers
    .map(({ headers, body }) => JSON.stringify([[...headers], body]))
    .join('\n')
  for (const secret of [CANARY, ...links, ...providerSecrets])
    expect(answered).not.toContain(secret)

  // Mails hold their own link, and no other secret.
  const mails = JSON.stringify(await mailsTo(email, site().sqld.url))
  for (const secret of [CANARY, ...bearers, deviceCode, ...providerSecrets]) {
    expect(mails).not.toContain(secret)
  }
})
