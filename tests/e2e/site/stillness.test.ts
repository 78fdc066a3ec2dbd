import { expect, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'

test('with reduced motion nothing moves or changes by itself, and no film loads; the edge between both views follows the arrow keys, and Play still plays', async () => {
  const { page } = await openPage({ reducedMotion: 'reduce' })
  const films: string[] = []
  page.on('request', (request) => {
    if (/\.(webm|mp4)$/.test(request.url())) films.push(request.url())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  const play = page.getByRole('region', { name: 'Films' }).getByRole('button', { name: 'Play' })
  await play.waitFor()
  const running = await page.evaluate(() => document.getAnimations().length)
  expect(running).toBe(0)
  expect(films).toEqual([])
  await expect.poll(() => page.locator('.feature-panel[data-auto]').count()).toBe(0)

  const range = page.getByRole('slider')
  const edge = () =>
    page
      .locator('.compared')
      .evaluate((compare) => getComputedStyle(compare).getPropertyValue('--at'))
  await expect
    .poll(async () => {
      await range.press('End')
      return edge()
    })
    .toBe('100%')
  await range.press('ArrowLeft')
  await expect.poll(edge).toBe('99%')

  await play.click()
  const film = page.locator('.clip[data-current] video')
  await expect.poll(() => film.getAttribute('data-ready')).toBe('true')
  expect(films.length).toBeGreaterThan(0)
})
