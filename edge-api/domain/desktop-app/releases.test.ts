import { expect, test } from 'vitest'
import {
  compareVersions,
  offeredMac,
  offeredWindows,
  readReleases,
} from '../../../src/contract/release.ts'
import { sizeOf, whatWeSaw } from '../../../site/releases/texts.ts'
import { aRelease } from '#harness/releases.ts'

const filesOf = (...releases: { version: string }[]) =>
  Object.fromEntries(releases.map((release) => [release.version, release]))

test('versions are compared by their numbers', () => {
  const versions = ['1.10.0', '1.9.9', '2.0.0', '1.9.10', '0.20.0']
  expect(versions.toSorted(compareVersions)).toEqual([
    '0.20.0',
    '1.9.9',
    '1.9.10',
    '1.10.0',
    '2.0.0',
  ])
  expect(compareVersions('1.2.3', '1.2.3')).toBe(0)
})

test('the newest release of a system that is not withdrawn is offered', () => {
  const releases = readReleases(
    filesOf(
      aRelease('1.9.0'),
      aRelease('1.10.0', { windows: undefined, oldestSupported: '1.9.0' }),
      aRelease('1.11.0', { withdrawn: 'It was visible to others.' }),
    ),
  )
  expect(releases.map(({ version }) => version)).toEqual(['1.11.0', '1.10.0', '1.9.0'])
  expect(offeredMac(releases).version).toBe('1.10.0')
  expect(offeredWindows(releases).version).toBe('1.9.0')
})

test.each([
  ['no release', {}, 'No release is offered'],
  [
    'only one that is withdrawn',
    filesOf(aRelease('1.0.0', { withdrawn: 'It does not start.' })),
    'No release is offered',
  ],
  [
    'a file named after another version',
    { '1.0.1': aRelease('1.0.0') },
    '1.0.1.json is about 1.0.0.',
  ],
  [
    'one that supports only later ones',
    filesOf(aRelease('1.0.0', { oldestSupported: '1.0.1' })),
    'newer than itself',
  ],
  [
    'a newest one for macOS alone that ends the newest for Windows',
    filesOf(aRelease('1.0.0'), aRelease('1.1.0', { windows: undefined })),
    '1.1.0.json does not support 1.0.0',
  ],
  [
    'a withdrawal after which an older one is offered than may be used',
    filesOf(
      aRelease('1.0.0'),
      aRelease('1.1.0', { withdrawn: 'It was visible to others.' }),
      aRelease('1.2.0', { windows: undefined, oldestSupported: '1.1.0' }),
    ),
    '1.2.0.json does not support 1.0.0',
  ],
  [
    'one with a field that nobody knows',
    { '1.0.0': { ...aRelease('1.0.0'), chanel: 'beta' } },
    'chanel',
  ],
  ['one with a checksum that is cut off', filesOf(aRelease('1.0.0', { sha256: 'abc' })), 'sha256'],
  ['one over plain HTTP', filesOf(aRelease('1.0.0', { origin: 'http://files.test' })), 'url'],
])('%s stops the build', (_what, files, reason) => {
  expect(() => readReleases(files)).toThrow(reason)
})

const sight = {
  group: 'macNew',
  system: 'macOS 26.1',
  meetingApp: 'Zoom 6.2',
  date: '2026-11-20',
} as const

test('the page shows the results of the newest release that was tried', () => {
  const releases = [
    aRelease('1.2.0'),
    aRelease('1.1.0', {
      seen: [
        { ...sight, isHidden: true },
        { ...sight, meetingApp: 'Teams 25.3', isHidden: false },
      ],
    }),
    aRelease('1.0.0', { seen: [{ ...sight, isHidden: false }] }),
  ]
  expect(whatWeSaw(releases)).toBe(
    'What we saw. macOS 15 and later, with version 1.1.0: hidden in Zoom 6.2 on macOS 26.1 (20 November 2026); visible in Teams 25.3 on macOS 26.1 (20 November 2026).',
  )
  expect(whatWeSaw([aRelease('1.0.0')])).not.toContain('macOS')
})

test('sizes are in megabytes', () => {
  expect(sizeOf({ bytes: 84_400_000 })).toBe('84 MB')
  expect(sizeOf({ bytes: 10 })).toBe('1 MB')
})
