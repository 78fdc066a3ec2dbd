import { expect, test } from 'vitest'
import { FIELD } from '../contract/messages.ts'
import { RegisterInput } from '../contract/session.ts'
import type { Outcome } from './form.ts'
import { createForm } from './form.ts'

const GOOD = {
  username: 'ada',
  email: 'ada@example.test',
  password: 'Quiet-line-1',
  confirmPassword: 'Quiet-line-1',
}

function registration(submit: () => Promise<Outcome> = () => Promise.resolve({ ok: true })) {
  const initial = { username: '', email: '', password: '', confirmPassword: '' }
  return createForm({ schema: RegisterInput, initial, submit })
}

test('an empty form says what is missing, focuses the first field and sends nothing', async () => {
  let sent = 0
  const form = registration(() => {
    sent += 1
    return Promise.resolve({ ok: true })
  })
  expect(await form.submit()).toBe(false)
  expect(form.$form.get().errors).toEqual({
    username: FIELD.usernameRequired,
    email: FIELD.emailInvalidOnRegister,
    password: FIELD.passwordRequired,
    confirmPassword: FIELD.confirmPasswordRequired,
  })
  expect(form.$form.get().focus).toEqual({ field: 'username' })
  expect(sent).toBe(0)
})

test('an error goes as soon as it is mended, and typing shows no new ones', async () => {
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

test('leaving a field shows what is wrong with it, but not that it is empty', () => {
  const form = registration()
  form.leaveField('email')
  expect(form.$form.get().errors).toEqual({})
  form.setValue('email', 'nobody')
  form.leaveField('email')
  expect(form.$form.get().errors).toEqual({ email: FIELD.emailInvalidOnRegister })
})

test('two clicks send once', async () => {
  let sent = 0
  let finish: (outcome: Outcome) => void = () => undefined
  const form = registration(() => {
    sent += 1
    return new Promise((resolve) => {
      finish = resolve
    })
  })
  form.reset(GOOD)
  const first = form.submit()
  expect(await form.submit()).toBe(false)
  expect(form.$form.get().isSubmitting).toBe(true)
  finish({ ok: true })
  expect(await first).toBe(true)
  expect([sent, form.$form.get().isSubmitting]).toEqual([1, false])
})

test("the server's errors stand beside their fields, one each, and the first is focused", async () => {
  const errors = [
    { path: 'email', msg: 'taken' },
    { path: 'email', msg: 'ugly' },
  ]
  const form = registration(() => Promise.resolve({ ok: false, problem: null, errors }))
  form.reset(GOOD)
  await form.submit()
  const { errors: shown, focus, problem } = form.$form.get()
  expect([shown, focus, problem]).toEqual([{ email: 'taken' }, { field: 'email' }, null])
})
