import { expect, test } from 'vitest'
import { readReleases } from '../../../src/contract/release.ts'
import { aRelease } from '#harness/releases.ts'
import { createFixture, NO_INPUT } from '#harness/fixture/fixture.ts'
import { appPolicy } from './app-policy.ts'

test('the newest version that is not withdrawn says how old one may be, and withdrawn ones have a reason', async () => {
  const releases = readReleases({
    '1.0.0': aRelease('1.0.0'),
    '1.1.0': aRelease('1.1.0', { oldestSupported: '1.0.0' }),
    '1.2.0': aRelease('1.2.0', { withdrawn: 'It was visible to others.' }),
  })
  const policy = await appPolicy({ ...createFixture().ctx(), releases }, NO_INPUT)
  expect(policy).toEqual({
    success: true,
    minimum: '1.0.0',
    withdrawn: [{ version: '1.2.0', reason: 'It was visible to others.' }],
    latest: { mac: '1.1.0', windows: '1.1.0' },
  })
})
