import { expect, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import {
  forgotPasswordEndpoint,
  notMeEndpoint,
  resetPasswordEndpoint,
} from '../../src/contract/credential.ts'
import { exportDataEndpoint } from '../../src/contract/data-export.ts'
import {
  authorizeDeviceEndpoint,
  confirmDeviceEndpoint,
  deviceTokenEndpoint,
} from '../../src/contract/device.ts'
import { Failure } from '../../src/contract/endpoint.ts'
import {
  addPasskeyEndpoint,
  factorsEndpoint,
  passkeyChallengeEndpoint,
  passkeySignInEndpoint,
  secondStepEndpoint,
  startPasskeyEndpoint,
} from '../../src/contract/factor.ts'
import { AUTH } from '../../src/contract/messages.ts'
import { loginEndpoint } from '../../src/contract/session.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { type Authenticator, newAuthenticator } from '../harness/authenticator.ts'
import { codeOf, newPerson, newTraveller, useGoogleSite } from '../harness/google.ts'
import { createMember, type Member, PASSWORD } from '../harness/member.ts'
import { mailedSecret } from '../harness/stored.ts'
import { newVisitor, type Visitor } from '../harness/visitor.ts'

// Three people: a thief who knows the password, the owner, and whoever reads the owner's mailbox. With Google, because it is
// one of the doors.

const site = useGoogleSite()
const someone = () => newVisitor(site.url)

const signIn = (by: Visitor, { email }: Member, password = PASSWORD) =>
  ask(by, loginEndpoint, { body: { email, password } })

/** The thief's browser, signed in with the password. */
async function signedInThief({ email }: Member): Promise<Visitor> {
  const { address, call } = someone()
  const body = { email, password: PASSWORD }
  const { token } = await askGood({ call }, loginEndpoint, { body })
  return { address, call: (path, options = {}) => call(path, { bearer: token, ...options }) }
}

/** Adds a passkey. Returns it and the recovery codes that came with it. */
async function addPasskey(by: Pick<Visitor, 'call'>) {
  const passkey = newAuthenticator({ origin: site.url })
  const { sealed, options } = await askGood(by, startPasskeyEndpoint)
  const body = { sealed, credential: passkey.create(options) }
  const { recoveryCodes } = await askGood(by, addPasskeyEndpoint, { body })
  return { passkey, recoveryCodes }
}

async function byPasskey(by: Visitor, passkey: Authenticator) {
  const { sealed, options } = await askGood(by, passkeyChallengeEndpoint)
  return ask(by, passkeySignInEndpoint, { body: { sealed, credential: passkey.get(options) } })
}

const press = async ({ email }: Member) =>
  askGood(someone(), notMeEndpoint, { params: { token: await mailedSecret(email, 'not-me') } })

async function reset({ email }: Member, password: string): Promise<void> {
  const params = { token: await mailedSecret(email, 'reset-password') }
  await askGood(someone(), resetPasswordEndpoint, { params, body: { password } })
}

const newOwner = () => createMember({ siteUrl: site.url })

test('a thief who knows the password adds a passkey: the link shuts every door, and the reset gives the account to its owner', async () => {
  const owner = await newOwner()
  const thief = await signedInThief(owner)
  const { passkey, recoveryCodes } = await addPasskey(thief)
  expect(recoveryCodes).toHaveLength(10)
  await press(owner)
  expect(bad(await ask(thief, exportDataEndpoint)).status).toBe(401)
  expect(bad(await signIn(thief, owner))).toMatchObject({ status: 401, message: AUTH.locked })
  expect(bad(await byPasskey(thief, passkey)).status).toBe(400)
  await reset(owner, 'Louder-Otter-43')
  expect(bad(await signIn(thief, owner)).code).toBe('INVALID_CREDENTIALS')
  expect(bad(await byPasskey(thief, passkey)).code).toBe('FACTOR_REFUSED')
  const { token } = await askGood(someone(), loginEndpoint, {
    body: { email: owner.email, password: 'Louder-Otter-43' },
  })
  const again = { call: (path: string) => someone().call(path, { bearer: token }) }
  expect(await askGood(again, factorsEndpoint)).toMatchObject({
    passkeys: [],
    totpSince: null,
    recoveryCodesLeft: 0,
  })
})

test('every door of a locked account says to use the mailed link, and only a reset link opens it', async () => {
  const owner = await newOwner()
  const { passkey } = await addPasskey(owner)
  const waiting = await signIn(someone(), owner)
  const { secondStep } = Failure.parse(waiting.body)
  const app = await askGood(someone(), authorizeDeviceEndpoint, { body: {} })
  const approval = { userCode: app.user_code, approve: true }
  await askGood(owner, confirmDeviceEndpoint, { body: approval })
  const google = newTraveller(site.url)
  const person = newPerson({ email: owner.email })
  const half = codeOf(await google.arrive(person))

  await press(owner)
  expect(bad(await ask(owner, meEndpoint)).status).toBe(401)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const { device_code } = app
  const doors = [
    await signIn(someone(), owner),
    await byPasskey(someone(), passkey),
    await ask(someone(), secondStepEndpoint, {
      body: {
        ticket: secondStep?.ticket ?? '',
        proof: { kind: 'recovery', code: '0'.repeat(16) },
      },
    }),
    await google.finish(half),
    await ask(someone(), deviceTokenEndpoint, { body: { grant_type, device_code } }),
  ]
  expect(doors.map((answer) => bad(answer).message)).toEqual(doors.map(() => AUTH.locked))
  expect(await newTraveller(site.url).arrive(person)).toBe('/login?problem=google_locked')

  const { email } = owner
  await askGood(someone(), forgotPasswordEndpoint, { body: { email } })
  await reset(owner, 'Louder-Otter-43')
  // The owner had a second step, which the mailbox alone does not take away.
  expect(bad(await signIn(someone(), owner, 'Louder-Otter-43')).code).toBe('FACTOR_REQUIRED')
  expect((await byPasskey(someone(), passkey)).status).toBe(200)
})
