import { expect, test } from 'vitest'
import { lookAt } from './support/look-at.ts'
import { resetPath } from './support/mail.ts'
import { registeredPerson } from './support/person.ts'
import { GUEST_SCREENS, newPasswordScreen } from './support/screens.ts'

async function guestScreens() {
  const { email } = await registeredPerson()
  return [...GUEST_SCREENS, newPasswordScreen(await resetPath(email))]
}

test.each([
  { width: 1280, height: 900 },
  { width: 360, height: 780 },
])(
  'at $width axe finds nothing in either theme and nothing is cut off for guests',
  async (size) => {
    expect(await lookAt({ ...size, screens: await guestScreens() })).toEqual([])
  },
)

// 640 is what a window of 1280 has left at 200 % zoom.
test('at 640 px nothing scrolls sideways and no text is cut off for guests', async () => {
  const size = { width: 640, height: 450, hasAxe: false }
  expect(await lookAt({ ...size, screens: await guestScreens() })).toEqual([])
})
