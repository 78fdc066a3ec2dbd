import { expect, test } from 'vitest'
import { meEndpoint } from '../../contract/account.ts'
import { notMeEndpoint } from '../../contract/credential.ts'
import { NOT_ME } from '../../contract/messages.ts'
import { createNotMe } from './not-me.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'

/** A browser that is signed in opens the link of a mail and presses the button. */
async function lock() {
  const fixture = await createStoreFixture({ isSignedIn: true, guard: 'public' })
  fixture.address.path = `/not-me/${'x'.repeat(43)}`
  fixture.server.answer(notMeEndpoint, {})
  return { ...fixture, ...createNotMe() }
}

test('locking the account of this browser signs it out here', async () => {
  const { server, lock: press, token, $notMe } = await lock()
  server.forget(meEndpoint)
  server.refuse(meEndpoint, 'UNAUTHENTICATED', 'Please sign in to continue.')
  await press()
  expect([$notMe.get().step, token()]).toEqual(['done', null])
})

test('a link that was cut off says so, and locks nothing', async () => {
  const { address, server, check, lock: press, $notMe, went } = await lock()
  address.path = '/not-me/'
  check()
  await press()
  expect($notMe.get()).toEqual({ step: 'refused', message: NOT_ME.incomplete })
  expect([went, server.requests]).toEqual([[], []])
})

test('locking another account leaves this browser signed in', async () => {
  const { lock: press, token, $notMe } = await lock()
  await press()
  expect([$notMe.get().step, token()]).toEqual(['done', 'the-token'])
})
