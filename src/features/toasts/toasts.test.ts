import { expect, test } from 'vitest'
import { createStoreWorld } from '../../../tests/stores/store-world.ts'
import { createFailureToast } from '../form/form.ts'
import { createToasts } from './toasts.ts'

test.each([
  { kind: 'success', ms: 3_000 },
  { kind: 'error', ms: 5_000 },
  { kind: 'say', ms: 4_000 },
] as const)('a $kind toast stays $ms ms', async ({ kind, ms }) => {
  const { toasts, said, advance } = await createStoreWorld()
  toasts[kind]('Hello')
  await advance(ms - 1)
  expect(said()).toHaveLength(1)
  await advance(1)
  expect(said()).toEqual([])
})

test('a toast that is pointed at or focused stays, and then has the time it had left', async () => {
  const { toasts, said, advance } = await createStoreWorld()
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
  const { toasts, said } = await createStoreWorld()
  for (let count = 1; count <= 25; count += 1) toasts.say(`toast ${count}`)
  expect(said()).toHaveLength(20)
  expect([said()[0], said()[19]]).toEqual(['default: toast 6', 'default: toast 25'])
})

test('a dismissed toast is removed', async () => {
  const { toasts, said } = await createStoreWorld()
  toasts.say('one')
  toasts.say('two')
  toasts.dismiss(toasts.$toasts.get()[0]?.id ?? '')
  expect(said()).toEqual(['default: two'])
})

test('toasts still visible when the user leaves show once on the next page, for the time left', async () => {
  const { toasts, advance } = await createStoreWorld()
  toasts.success('Login successful!')
  await advance(1_000)
  toasts.carry()
  // The next page takes 4 seconds to load.
  await advance(4_000)
  const next = createToasts()
  next.restore()
  expect(next.$toasts.get()).toMatchObject([{ kind: 'success', text: 'Login successful!' }])
  await advance(2_000)
  const third = createToasts()
  third.restore()
  expect(third.$toasts.get()).toEqual([])
})

test('a toast that had little time left when the user leaves is shown on the next page for two seconds', async () => {
  const { toasts, advance } = await createStoreWorld()
  toasts.success('Login successful!')
  await advance(2_900)
  toasts.carry()
  const next = createToasts()
  next.restore()
  await advance(1_999)
  expect(next.$toasts.get()).toHaveLength(1)
  await advance(1)
  expect(next.$toasts.get()).toEqual([])
})

test('a toast is kept at once, for a page that starts before this one is told to leave', async () => {
  const { toasts } = await createStoreWorld()
  toasts.success('Login successful!')
  const next = createToasts()
  next.restore()
  expect(next.$toasts.get()).toHaveLength(1)
})

test('carried toasts expire after ten seconds', async () => {
  const { toasts, advance } = await createStoreWorld()
  toasts.success('Logged out successfully')
  toasts.carry()
  await advance(10_001)
  const later = createToasts()
  later.restore()
  expect(later.$toasts.get()).toEqual([])
})

test('the store ignores text that is not toasts', async () => {
  const { environment } = await createStoreWorld()
  for (const text of ['{', '7']) {
    environment.tabStorage.setItem('toasts', text)
    const toasts = createToasts()
    toasts.restore()
    expect(toasts.$toasts.get()).toEqual([])
  }
})

test('the next page does not show the failure toast of a form', async () => {
  const { toasts } = await createStoreWorld()
  createFailureToast('Login failed').show('Invalid email or password')
  toasts.success('Saved')
  toasts.carry()
  const next = createToasts()
  next.restore()
  expect(next.$toasts.get().map(({ text }) => text)).toEqual(['Saved'])
})
