import { expect, test } from 'vitest'
import { lookAt } from './support/look-at.ts'
import { resetPath } from './support/mail.ts'
import { registeredPerson } from './support/person.ts'
import { GUEST_SCREENS, NEWCOMER_SCREENS, newPasswordScreen } from './support/screens.ts'

test.each([
  { width: 1280, height: 900 },
  { width: 360, height: 780 },
])(
  'at $width axe finds nothing in either theme and nothing is cut off for guests and newcomers',
  async (size) => {
    const { token, email } = await registeredPerson()
    const screens = [...GUEST_SCREENS, newPasswordScreen(await resetPath(email))]
    expect(await lookAt({ ...size, screens })).toEqual([])
    expect(await lookAt({ ...size, screens: NEWCOMER_SCREENS, token })).toEqual([])
  },
  120_000,
)

// 640 is what a window of 1280 has left at 200 % zoom.
test('at 640 px nothing scrolls sideways and no text is cut off for guests and newcomers', async () => {
  const { token, email } = await registeredPerson()
  const size = { width: 640, height: 450, hasAxe: false }
  const screens = [...GUEST_SCREENS, newPasswordScreen(await resetPath(email))]
  expect(await lookAt({ ...size, screens })).toEqual([])
  expect(await lookAt({ ...size, screens: NEWCOMER_SCREENS, token })).toEqual([])
}, 120_000)
