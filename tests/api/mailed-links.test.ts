import { expect, inject, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import {
  checkResetLinkEndpoint,
  forgotPasswordEndpoint,
  resendVerificationEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from '../../src/contract/credential.ts'
import { AUTH, TOAST, VERIFICATION } from '../../src/contract/messages.ts'
import { loginEndpoint } from '../../src/contract/session.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, type Member, signInAgain } from '../harness/member.ts'
import { dumpDatabase, eventsOf, mailedSecret, mailsTo } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

const visitor = () => newVisitor(inject('siteUrl'))
const NEW_PASSWORD = 'Louder-Otter-43'

async function resetLink({ email }: Member): Promise<string> {
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email } })
  return mailedSecret(email, 'reset-password')
}

async function verifyLink(member: Member): Promise<string> {
  await askGood(member, resendVerificationEndpoint)
  return mailedSecret(member.email, 'verify-email')
}

test('a mail scanner that opens a mailed link, by GET or HEAD, does not use it up', async () => {
  const member = await createMember({ isVerified: false })
  const [reset, verify] = [await resetLink(member), await verifyLink(member)]
  for (const path of [`/reset-password/${reset}`, `/verify-email/${verify}`]) {
    for (const method of ['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD']) {
      expect((await visitor().call(path, { method })).status).toBe(200)
    }
  }
  expect((await askGood(member, meEndpoint)).user.isEmailVerified).toBe(false)
  await askGood(visitor(), verifyEmailEndpoint, { params: { token: verify } })
  const body = { password: NEW_PASSWORD }
  await askGood(visitor(), resetPasswordEndpoint, { params: { token: reset }, body })
})

test('a verification link verifies the address, and answers success when it is opened again', async () => {
  const member = await createMember({ isVerified: false })
  const token = await verifyLink(member)
  for (let time = 1; time <= 3; time += 1) {
    const { message } = await askGood(visitor(), verifyEmailEndpoint, { params: { token } })
    expect(message).toBe(TOAST.emailVerified)
  }
  expect((await askGood(member, meEndpoint)).user.isEmailVerified).toBe(true)
  const kinds = (await eventsOf(member.userId)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'email_verified')).toHaveLength(1)
  const again = await askGood(member, resendVerificationEndpoint)
  expect(again.message).toBe(VERIFICATION.alreadyVerified)
})

test('a verification link that was never sent is refused', async () => {
  for (const token of ['no-link-of-ours', 'a'.repeat(43)]) {
    const refused = bad(await ask(visitor(), verifyEmailEndpoint, { params: { token } }))
    expect(refused).toMatchObject({ status: 400, message: VERIFICATION.expired })
  }
})

test('of two password resets at once with one link, one succeeds', async () => {
  const token = await resetLink(await createMember())
  const attempt = (password: string) =>
    ask(visitor(), resetPasswordEndpoint, { params: { token }, body: { password } })
  const answers = await Promise.all([attempt('Louder-Otter-43'), attempt('Louder-Otter-44')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

test('a reset link can be checked without using it up, and is invalid once used', async () => {
  const member = await createMember()
  const params = { token: await resetLink(member) }
  const answers = await Promise.all(
    [1, 2].map(() => ask(visitor(), checkResetLinkEndpoint, { params })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const body = { password: NEW_PASSWORD }
  await askGood(visitor(), resetPasswordEndpoint, { params, body })
  const refused = bad(await ask(visitor(), checkResetLinkEndpoint, { params }))
  expect(refused).toMatchObject({ status: 400, code: 'LINK_INVALID' })
  expect(refused.message).toBe(AUTH.linkInvalid)
})

test('no row of the database holds a mailed secret, a bearer token or a password', async () => {
  const member = await createMember({ isVerified: false })
  const secrets = [await resetLink(member), await verifyLink(member)]
  const login = { email: member.email, password: member.password }
  const { token } = await askGood(visitor(), loginEndpoint, { body: login })
  const dump = await dumpDatabase()
  expect(dump).toContain(member.email)
  for (const secret of [token, token.split('.')[2] ?? '', member.bearer, member.password]) {
    expect(dump).not.toContain(secret)
  }
  // The local mailbox keeps mails with their links; elsewhere a mail is wiped once it is sent.
  const tables = dump.split('\n').filter((table) => !table.includes('"to_address"'))
  expect(tables.length).toBeGreaterThan(10)
  for (const secret of secrets) expect(tables.join('\n')).not.toContain(secret)
})

test('a password reset ends every session at its next call and notifies the owner', async () => {
  const member = await createMember()
  const other = await signInAgain(member)
  const token = await resetLink(member)
  const body = { password: NEW_PASSWORD }
  const { message } = await askGood(visitor(), resetPasswordEndpoint, { params: { token }, body })
  expect(message).toBe(TOAST.passwordReset)
  expect(bad(await ask(member, meEndpoint)).status).toBe(401)
  expect(bad(await ask(other, meEndpoint)).status).toBe(401)
  const { email } = member
  const old = { email, password: member.password }
  expect((await ask(visitor(), loginEndpoint, { body: old })).status).toBe(401)
  await askGood(visitor(), loginEndpoint, { body: { email, password: NEW_PASSWORD } })
  expect((await mailsTo(email)).map(({ kind }) => kind)).toContain('password_changed')
})

test('pages whose address holds a secret are not cached and send no referrer', async () => {
  for (const path of ['/verify-email/a-secret', '/reset-password/a-secret', '/not-me/a-secret']) {
    const { status, headers, body } = await visitor().call(path)
    expect(status).toBe(200)
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(String(body)).not.toContain('some-secret')
  }
})

test('a password reset for an unknown address stores nothing and mails nobody', async () => {
  const stranger = 'nobody-at-all@example.test'
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email: stranger } })
  expect(await mailsTo(stranger)).toEqual([])
  const dump = await dumpDatabase()
  expect(dump).not.toContain(stranger)
})
