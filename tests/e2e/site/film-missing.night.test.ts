import { expect, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'

test('a film that does not load leaves its poster, shows no message, is only logged, and plays on a second try', async () => {
  const { page, context, complaints } = await openPage({
    reducedMotion: 'no-preference',
    mayComplain: /net::ERR_FAILED/,
  })
  const films = page.getByRole('region', { name: 'Films' })
  const film = page.locator('.clip[data-current] video')
  await context.route(/\/clips\/.*\.(webm|mp4)$/, (route) => route.abort())
  const logged = page.waitForEvent('console', (line) => line.text().startsWith('film '))
  await page.goto('/', { waitUntil: 'load' })
  expect((await logged).text()).toMatch(/^film ai-interview-assistant NotSupportedError/)
  await expect.poll(() => film.getAttribute('data-ready')).toBeNull()
  await expect.poll(() => film.evaluate((video) => getComputedStyle(video).opacity)).toBe('0')
  const poster = page.locator('.clip[data-current] img')
  await expect
    .poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  await expect.poll(() => page.getByText(/error|could not|failed/i).count()).toBe(0)
  // The browser logs the failed request itself; the page logs nothing more.
  expect(complaints.filter((text) => !text.includes('net::ERR_FAILED'))).toEqual([])
  await context.unroute(/\/clips\/.*\.(webm|mp4)$/)
  await films.getByRole('button', { name: 'Play' }).click()
  await films.getByRole('button', { name: 'Pause' }).waitFor()
  await expect.poll(() => film.getAttribute('data-ready')).toBe('true')
})
