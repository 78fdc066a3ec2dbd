import { expect, test } from 'vitest'
import { seenOn } from './seen-by-others.ts'

const HIDDEN = 'others usually do not see the answer.'

// The versions of Windows are those of Microsoft's table:
// https://learn.microsoft.com/en-us/microsoft-edge/web-platform/how-to-detect-win11
test.each([
  ['macOS', '15.1.0', 'On this Mac (macOS 15): expect that others see it.'],
  ['macOS', '14.7.0', `On this Mac (macOS 14): ${HIDDEN}`],
  ['Windows', '15.0.0', `On this computer (Windows 11): ${HIDDEN}`],
  ['Windows', '13.0.0', `On this computer (Windows 11): ${HIDDEN}`],
  ['Windows', '10.0.0', `On this computer (Windows 10): ${HIDDEN}`],
  [
    'Windows',
    '8.0.0',
    'On this computer (Windows 10 before version 2004): expect that others see an empty window.',
  ],
  // Windows 8.1 and 7.
  ['Windows', '0.3.0', null],
  ['Linux', '6.8.0', null],
  ['macOS', '', null],
])('%s %s: %s', (platform, platformVersion, said) => {
  expect(seenOn({ platform, platformVersion })).toBe(said)
})
