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
  'at $width axe finds nothing in either theme and nothing is cut off, zoomed neither, for guests',
  async (size) => {
    expect(await lookAt({ ...size, screens: await guestScreens() })).toEqual([])
  },
)
