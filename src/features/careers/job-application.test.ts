import { expect, test } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { exampleOf } from '../../../site/openapi/examples.ts'
import { ApplicationInput, applyEndpoint } from '../../contract/careers.ts'
import { createJobApplication, humanise } from './job-application.ts'

const FILLED = ApplicationInput.parse(exampleOf(applyEndpoint).body)

async function start() {
  const fixture = await createStoreFixture({ path: '/careers', guard: 'public' })
  const application = createJobApplication({ jobId: 'software-engineer-junior' })
  const state = () => application.$application.get()
  return { ...fixture, application, state }
}

test("the server's errors are listed the same way, and the form stays open", async () => {
  const { application, state, server } = await start()
  server.refuse(applyEndpoint, 'VALIDATION_FAILED', 'x', [{ path: 'resumeUrl', msg: 'is dead' }])
  application.reset({ ...application.$form.get().values, ...FILLED })
  await application.submit()
  expect(state()).toMatchObject({
    step: 'filling',
    message: 'Please fix the errors below and try again.',
    fieldErrors: [{ path: 'resumeUrl', msg: 'is dead' }],
  })
  expect(application.$form.get().values.fullName).toBe('Ada Lovelace')
})

test('a failure shows its message, the fallback, or the network message', async () => {
  const { application, state, server } = await start()
  server.refuse(applyEndpoint, 'RATE_LIMITED', 'Too many attempts.')
  server.answerRaw(applyEndpoint, 502, '')
  server.cutOff(applyEndpoint)
  application.reset({ ...application.$form.get().values, ...FILLED })
  const messages: (string | null)[] = []
  for (let tries = 0; tries < 3; tries += 1) {
    await application.submit()
    messages.push(state().message)
  }
  expect(messages).toEqual([
    'Too many attempts.',
    'Failed to submit application. Please try again.',
    'Network error. Please check your connection and try again.',
  ])
})

test('an answer that comes after the form was closed is said as a toast, and does not open the form', async () => {
  const { application, state, server, said } = await start()
  server.cutOff(applyEndpoint)
  server.answer(applyEndpoint, { applicationNumber: 'A-1' })
  application.reset({ ...application.$form.get().values, ...FILLED })
  for (let tries = 0; tries < 2; tries += 1) {
    const sent = application.submit()
    application.close()
    await sent
    expect(state().step).toBe('idle')
  }
  expect(said()).toEqual([
    'error: Network error. Please check your connection and try again.',
    "success: Application submitted successfully! We'll be in touch soon.",
  ])
})

test('field names are split into words', () => {
  expect([humanise('workAuthorization'), humanise('email')]).toEqual([
    'Work Authorization',
    'Email',
  ])
})
