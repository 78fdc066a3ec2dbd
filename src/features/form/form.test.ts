import { expect, test } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { setupEnvironment } from '../../lib/environment.ts'
import { session as sessionOfPage } from '../session/session.ts'
import { aUser } from '../../../tests/stores/samples.ts'
import { meEndpoint, ProfileInput } from '../../contract/account.ts'
import { FIELD } from '../../contract/field-messages.ts'
import { RegisterInput } from '../../contract/session.ts'
import type { CallResult } from '../../api/call-endpoint.ts'
import { silentFailure } from '../../api/call-endpoint.ts'
import { createForm } from './form.ts'

const GOOD = {
  username: 'ada',
  email: 'ada@example.test',
  password: 'Quiet-line-1',
  confirmPassword: 'Quiet-line-1',
}

type Result = CallResult<null>

const done: Result = { ok: true, data: null }

function registration(send: () => Promise<Result> = () => Promise.resolve(done)) {
  const initial = { username: '', email: '', password: '', confirmPassword: '' }
  return createForm({ schema: RegisterInput, initial, send, onSuccess: () => undefined })
}

test('an empty form shows an error for each required field, focuses the first and sends nothing', async () => {
  let sent = 0
  const form = registration(() => {
    sent += 1
    return Promise.resolve(done)
  })
  await form.submit()
  expect(form.$form.get().errors).toEqual({
    username: FIELD.usernameRequired,
    email: FIELD.emailInvalidOnRegister,
    password: FIELD.passwordRequired,
    confirmPassword: FIELD.confirmPasswordRequired,
  })
  expect(form.$form.get().focus).toEqual({ field: 'username' })
  expect(sent).toBe(0)
})

test('an error disappears as soon as the field is valid, and typing shows no new errors', async () => {
  const form = registration()
  await form.submit()
  form.setValue('username', 'ad')
  expect(form.$form.get().errors.username).toBe(FIELD.usernameTooShort)
  form.setValue('username', 'ada')
  expect(form.$form.get().errors.username).toBeUndefined()
  form.reset()
  form.setValue('username', 'a')
  expect(form.$form.get().errors).toEqual({})
})

test('leaving a field shows its error, unless it is empty', () => {
  const form = registration()
  form.leaveField('email')
  expect(form.$form.get().errors).toEqual({})
  form.setValue('email', 'nobody')
  form.leaveField('email')
  expect(form.$form.get().errors).toEqual({ email: FIELD.emailInvalidOnRegister })
})

test('submitting a form twice sends it once', async () => {
  let sent = 0
  let finish: (result: Result) => void = () => undefined
  const form = registration(() => {
    sent += 1
    return new Promise((resolve) => {
      finish = resolve
    })
  })
  form.reset(GOOD)
  const first = form.submit()
  await form.submit()
  expect(form.$form.get().isSubmitting).toBe(true)
  finish(done)
  await first
  expect([sent, form.$form.get().isSubmitting]).toEqual([1, false])
})

test('each field shows its first error from the server, and the first such field is focused', async () => {
  const errors = [
    { path: 'email', msg: 'taken' },
    { path: 'email', msg: 'ugly' },
  ]
  const form = registration(() => Promise.resolve({ ...silentFailure('refused', 400), errors }))
  form.reset(GOOD)
  await form.submit()
  const { errors: shown, focus, problem } = form.$form.get()
  expect([shown, focus, problem]).toEqual([{ email: 'taken' }, { field: 'email' }, null])
})

test('what was typed and not sent comes back to who typed it after the session ended, and to nobody else', async () => {
  const { environment, server, session } = await createStoreFixture({ isSignedIn: true })
  const open = () => {
    const send = () => Promise.resolve(done)
    const initial = { firstName: '', lastName: 'Byron', bio: '', phone: '' }
    return createForm({ schema: ProfileInput, initial, keptAs: 'x', send, onSuccess: () => null })
  }
  const signIn = (id: string) => session.begin({ token: id, user: { ...aUser(), id } })
  const seen = async () => {
    const form = open()
    await form.restore()
    return form.$form.get().values.firstName
  }
  signIn('ada')
  const form = open()
  form.setValue('firstName', 'Ad')
  server.forget(meEndpoint)
  server.refuse(meEndpoint, 'UNAUTHENTICATED', 'Please sign in to continue.')
  await session.start()
  form.setValue('firstName', 'Ada')
  expect(await seen()).toBe('')
  signIn('ada')
  expect(await seen()).toBe('Ada')
  await form.submit()
  expect(await seen()).toBe('')
  form.setValue('firstName', 'Ada')
  expect(await seen()).toBe('Ada')
  signIn('eve')
  expect(await seen()).toBe('')
  signIn('ada')
  expect(await seen()).toBe('')
  form.setValue('firstName', 'Ada')
  session.forget()
  expect(await seen()).toBe('')

  const visit = async (isOpenedAnew: boolean) => {
    setupEnvironment({ ...environment, isOpenedAnew: () => isOpenedAnew })
    await sessionOfPage.start()
  }
  await visit(true)
  open().setValue('firstName', 'A guest')
  await visit(false)
  expect(await seen()).toBe('A guest')
  await visit(true)
  expect(await seen()).toBe('')
})
