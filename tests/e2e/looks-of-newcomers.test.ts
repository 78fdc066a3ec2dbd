import { expect, test } from 'vitest'
import { lookAt } from './support/look-at.ts'
import { registeredPerson } from './support/person.ts'
import { NEWCOMER_SCREENS } from './support/screens.ts'

test.each([
  { width: 1280, height: 900 },
  { width: 360, height: 780 },
])(
  'at $width axe finds nothing in either theme and nothing is cut off, zoomed neither, for newcomers',
  async (size) => {
    const { token } = await registeredPerson()
    expect(await lookAt({ ...size, screens: NEWCOMER_SCREENS, token })).toEqual([])
  },
)
