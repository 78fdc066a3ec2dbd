import { expect, test } from 'vitest'
import { problemsOf } from './support/faults.ts'
import { registeredPerson, resetPath } from './support/person.ts'
import {
  busyMember,
  BUYER_SCREENS,
  GUEST_SCREENS,
  NEWCOMER_SCREENS,
  newPasswordScreen,
} from './support/screens.ts'

test('the screens of a guest', async () => {
  const { email } = await registeredPerson()
  const screens = [...GUEST_SCREENS, newPasswordScreen(await resetPath(email))]
  expect(await problemsOf(screens)).toEqual([])
})

test('the screens of a new account', async () => {
  const { bearer } = await registeredPerson()
  expect(await problemsOf(NEWCOMER_SCREENS, bearer)).toEqual([])
})

test('the screens of an account with a plan', async () => {
  const { bearer } = await busyMember()
  expect(await problemsOf(BUYER_SCREENS, bearer)).toEqual([])
})
