import { expect, test } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { createFailureToast } from '../form/form.ts'
import { createToasts } from './toasts.ts'

test.each([
  { kind: 'success', ms: 3_000 },
  { kind: 'error', ms: 5_000 },
  { kind: 'info', ms: 4_000 },
] as const)('a $kind toast stays $ms ms', async ({ kind, ms }) => {
  const { toasts, said, advance } = await createStoreFixture()
  toasts[kind]('Hello')
  await advance(ms - 1)
  expect(said()).toHaveLength(1)
  await advance(1)
  expect(said()).toEqual([])
})

test('a toast that is pointed at or focused stays, and then has the time it had left', async () => {
  const { toasts, said, advance } = await createStoreFixture()
  toasts.success('Saved')
  await advance(2_000)
  toasts.hold()
  await advance(60_000)
  toasts.error('Not saved')
  expect(said()).toHaveLength(2)
  toasts.release()
  await advance(999)
  expect(said()).toHaveLength(2)
  await advance(1)
  expect(said()).toEqual(['error: Not saved'])
  await advance(4_000)
  expect(said()).toEqual([])
})

test('only the newest 20 toasts are kept', async () => {
  const { toasts, said } = await createStoreFixture()
  for (let count = 1; count <= 25; count += 1) toasts.info(`toast ${count}`)
  expect(said()).toHaveLength(20)
  expect([said()[0], said()[19]]).toEqual(['default: toast 6', 'default: toast 25'])
})

test('a dismissed toast is removed', async () => {
  const { toasts, said } = await createStoreFixture()
  toasts.info('one')
  toasts.info('two')
  toasts.dismiss(toasts.$toasts.get()[0]?.id ?? '')
  expect(said()).toEqual(['default: two'])
})

type Fixture = Awaited<ReturnType<typeof createStoreFixture>>

/** The toasts of a page that starts `ms` milliseconds after this one has gone. */
async function nextPage({ environment, advance }: Fixture, ms = 0) {
  const kept = environment.tabStorage.getItem('toasts')
  await advance(ms)
  if (kept !== null) environment.tabStorage.setItem('toasts', kept)
  const next = createToasts()
  next.restore()
  return next.$toasts
}

test('toasts still visible when the user leaves show once on the next page, also when it takes a while to load', async () => {
  const fixture = await createStoreFixture()
  fixture.toasts.success('Login successful!')
  await fixture.advance(1_000)
  const $next = await nextPage(fixture, 4_000)
  expect($next.get()).toMatchObject([{ kind: 'success', text: 'Login successful!' }])
  await fixture.advance(2_000)
  expect($next.get()).toEqual([])
  expect((await nextPage(fixture)).get()).toEqual([])
})

test('a toast that had little time left when the user leaves is shown on the next page for two seconds', async () => {
  const fixture = await createStoreFixture()
  fixture.toasts.success('Login successful!')
  await fixture.advance(2_900)
  const $next = await nextPage(fixture)
  await fixture.advance(1_999)
  expect($next.get()).toHaveLength(1)
  await fixture.advance(1)
  expect($next.get()).toEqual([])
})

test('carried toasts expire ten seconds after their end', async () => {
  const fixture = await createStoreFixture()
  fixture.toasts.success('Logged out successfully')
  expect((await nextPage(fixture, 13_001)).get()).toEqual([])
})

test('the store ignores text that is not toasts', async () => {
  const { environment } = await createStoreFixture()
  for (const text of ['{', '7']) {
    environment.tabStorage.setItem('toasts', text)
    const toasts = createToasts()
    toasts.restore()
    expect(toasts.$toasts.get()).toEqual([])
  }
})

test('the next page does not show the failure toast of a form', async () => {
  const fixture = await createStoreFixture()
  createFailureToast('Login failed').show('Invalid email or password')
  fixture.toasts.success('Saved')
  expect((await nextPage(fixture)).get().map(({ text }) => text)).toEqual(['Saved'])
})
