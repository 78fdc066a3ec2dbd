import { expect, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'
import { faultsAt, isCut } from './look-at.ts'
import { PUBLIC_PATHS } from './pages.ts'

test('at 360 px axe finds nothing in either theme, and no public page scrolls sideways', async () => {
  expect(await faultsAt(360)).toEqual([])
}, 120_000)

// 640 is what a window of 1280 has left at 200 % zoom.
test.each([320, 640])('at %i px no public page scrolls sideways', async (width) => {
  const { page } = await openPage({ width, reducedMotion: 'reduce' })
  const cut: string[] = []
  for (const path of PUBLIC_PATHS) {
    await page.goto(path, { waitUntil: 'load' })
    if (await isCut(page)) cut.push(path)
  }
  expect(cut).toEqual([])
})
