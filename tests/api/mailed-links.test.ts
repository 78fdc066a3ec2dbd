import { expect, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import {
  checkResetLinkEndpoint,
  forgotPasswordEndpoint,
  resendVerificationEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from '../../src/contract/credential.ts'
import { AUTH, TOAST } from '../../src/contract/messages.ts'
import { VERIFICATION } from '../../src/contract/session-messages.ts'
import { loginEndpoint } from '../../src/contract/session.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createUser, type TestUser, PASSWORD, signInAgain } from '../harness/user.ts'
import { dumpDatabase, eventsOf, mailedSecret, mailsTo } from '../harness/stored.ts'
import { visitor } from '../harness/visitor.ts'

async function resetLink({ email }: TestUser): Promise<string> {
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email } })
  return mailedSecret(email, 'reset-password')
}

/** Opens the page of a link as a mail scanner does. */
async function scan(path: string): Promise<void> {
  for (const method of ['GET', 'GET', 'HEAD']) {
    expect((await visitor().call(path, { method })).status).toBe(200)
  }
}

test('a verification link is not used up by a scanner, verifies the address, and answers success again', async () => {
  const user = await createUser({ isVerified: false })
  await askGood(user, resendVerificationEndpoint)
  const token = await mailedSecret(user.email, 'verify-email')
  await scan(`/verify-email/${token}`)
  expect((await askGood(user, meEndpoint)).user.isEmailVerified).toBe(false)
  for (let time = 1; time <= 2; time += 1) {
    const { message } = await askGood(visitor(), verifyEmailEndpoint, { params: { token } })
    expect(message).toBe(TOAST.emailVerified)
  }
  expect((await askGood(user, meEndpoint)).user.isEmailVerified).toBe(true)
  const kinds = (await eventsOf(user.userId)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'email_verified')).toHaveLength(1)
  const again = await askGood(user, resendVerificationEndpoint)
  expect(again.message).toBe(VERIFICATION.alreadyVerified)
})

test('a reset link is not used up by a scanner or a check; its use ends every session and notifies the owner', async () => {
  const user = await createUser()
  const other = await signInAgain(user)
  const params = { token: await resetLink(user) }
  await scan(`/reset-password/${params.token}`)
  await askGood(visitor(), checkResetLinkEndpoint, { params })
  const password = 'Louder-Otter-43'
  const { message } = await askGood(visitor(), resetPasswordEndpoint, {
    params,
    body: { password },
  })
  expect(message).toBe(TOAST.passwordReset)
  for (const session of [user, other]) expect(bad(await ask(session, meEndpoint)).status).toBe(401)
  const { email } = user
  const old = { email, password: PASSWORD }
  expect((await ask(visitor(), loginEndpoint, { body: old })).status).toBe(401)
  await askGood(visitor(), loginEndpoint, { body: { email, password } })
  const kinds = (await mailsTo(email)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'password_changed')).toHaveLength(1)
  expect(bad(await ask(visitor(), checkResetLinkEndpoint, { params }))).toMatchObject({
    status: 400,
    code: 'LINK_INVALID',
    message: AUTH.linkInvalid,
  })
})

test('a password reset for an unknown address stores nothing and mails nobody', async () => {
  const email = 'nobody-at-all@example.test'
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email } })
  expect(await dumpDatabase()).not.toContain(email)
})
