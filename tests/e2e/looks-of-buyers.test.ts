import { expect, test } from 'vitest'
import { updateProfileEndpoint } from '../../src/contract/account.ts'
import { createMember } from '../harness/member.ts'
import { lookAt } from './support/look-at.ts'
import { BUYER_SCREENS } from './support/screens.ts'
import { useOverDays } from './support/usage.ts'

/** Somebody with a plan, much use and names that are hard to fit. */
async function busyMember() {
  const member = await createMember({ hasPlan: true })
  await useOverDays(member.userId, 30)
  const { path, method } = updateProfileEndpoint
  const firstName = 'Maximiliane-Alexandra'
  const lastName = 'von Hohenstein-Wittgenstein'
  await member.call(path, { method, json: { firstName, lastName, bio: '', phone: '' } })
  return member
}

test.each([
  { width: 1280, height: 900 },
  { width: 360, height: 780 },
])(
  'at $width axe finds nothing in either theme and nothing is cut off, zoomed neither, for who bought',
  async (size) => {
    const { bearer } = await busyMember()
    expect(await lookAt({ ...size, screens: BUYER_SCREENS, token: bearer })).toEqual([])
  },
  120_000,
)
