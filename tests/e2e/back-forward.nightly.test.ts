import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { expectPath, registeredUser, signInBrowser } from './support/user.ts'

test('nothing of ours keeps a page out of the back/forward cache', async () => {
  const { page, context } = await openPage()
  await signInBrowser(page, (await registeredUser()).bearer)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Page.enable')
  const told: string[][] = []
  devtools.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
    // The tests' browser has no such cache, and says so; its other reasons are faults of the page. What was loading at that
    // moment, such as a film, is chance.
    const ours = notRestoredExplanations.filter(
      ({ type, reason }) =>
        type !== 'Circumstantial' && !reason.startsWith('OutstandingNetworkRequest'),
    )
    told.push(ours.map(({ reason }) => reason))
  })
  const paths = ['/', '/careers', '/subscription', '/dashboard', '/profile', '/tokens']
  for (const path of [...paths, '/about']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
  }
  for (const [index, path] of paths.toReversed().entries()) {
    await page.goBack()
    await expectPath(page, path)
    await expect.poll(() => told.length).toBeGreaterThan(index)
  }
  expect(told).toEqual(paths.map(() => []))
})
