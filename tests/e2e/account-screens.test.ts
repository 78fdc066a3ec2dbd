import { expect, test } from 'vitest'
import { problemsOf } from './support/faults.ts'
import { registeredUser, resetPath } from './support/user.ts'
import {
  busyUser,
  BUYER_SCREENS,
  GUEST_SCREENS,
  NEWCOMER_SCREENS,
  newPasswordScreen,
} from './support/screens.ts'

test('the screens of a guest', async () => {
  const { email } = await registeredUser()
  const screens = [...GUEST_SCREENS, newPasswordScreen(await resetPath(email))]
  expect(await problemsOf(screens)).toEqual([])
})

test('the screens of a new account', async () => {
  const { bearer } = await registeredUser()
  expect(await problemsOf(NEWCOMER_SCREENS, bearer)).toEqual([])
})

test('the screens of an account with a plan', async () => {
  const { bearer } = await busyUser()
  expect(await problemsOf(BUYER_SCREENS, bearer)).toEqual([])
})
