import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'
import { button, current, expectStill, openFilms } from './open-films.ts'

test('in each theme a film begins with the answer that its poster shows', async () => {
  const { page } = await openFilms({ colorScheme: 'dark' })
  const shown = () =>
    page.locator('.clip[data-current]').evaluate((clip) => {
      const [poster, video] = [clip.querySelector('img'), clip.querySelector('video')]
      const name = (address = '') => address.split('/').at(-1)?.split('.')[0]
      return [name(poster?.currentSrc), name(video?.currentSrc), Number(video?.currentTime) > 10]
    })
  const [light, dark] = ['ai-interview-assistant', 'ai-interview-assistant-dark']
  await expect.poll(shown).toEqual([dark, dark, true])
  await page.getByLabel('Theme').selectOption('light')
  await expect.poll(shown).toEqual([light, light, true])
  await page.getByLabel('Theme').selectOption('dark')
  await expect.poll(shown).toEqual([dark, dark, true])
})

/** Whether the words of the headline take turns. */
async function headlineOf(page: Page) {
  const words = page.locator('.words > *')
  const stateOf = (word: Element) => getComputedStyle(word).animationPlayState
  return new Set(await Promise.all((await words.all()).map((word) => word.evaluate(stateOf))))
}

test('"Pause" stops the films and the word in the headline; arrow keys and a sideways swipe turn them, an upward one does not', async () => {
  const { page } = await openFilms()
  await button(page, 'Pause').click()
  await expectStill(page, 'AI Interview Assistant')
  expect(await headlineOf(page)).toEqual(new Set(['paused']))
  await button(page, 'Play').focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => current(page)).toBe('Design Diagrams generated inline')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => current(page)).toBe('Management Questions')

  // Tab reaches one of the dots, and an arrow key goes on to the next.
  const controls = page.locator('.clips-controls button')
  expect(await controls.evaluateAll((all) => all.filter((one) => one.tabIndex === 0).length)).toBe(
    6,
  )
  await button(page, /^Film 6 of 6/).press('ArrowRight')
  await button(page, /^Film 1 of 6/)
    .and(page.locator(':focus'))
    .waitFor()

  const stroke = (dx: number, dy: number) =>
    page.locator('.clips-stage').evaluate(
      (stage, { dx, dy }) => {
        const at = (type: string, x: number, y: number) =>
          stage.dispatchEvent(
            new PointerEvent(type, { pointerType: 'touch', clientX: x, clientY: y, bubbles: true }),
          )
        at('pointerdown', 200, 500)
        at('pointerup', 200 + dx, 500 + dy)
      },
      { dx, dy },
    )
  await stroke(-20, -200)
  await expect.poll(() => current(page)).toBe('AI Interview Assistant')
  await stroke(-90, 10)
  await expect.poll(() => current(page)).toBe('Design Diagrams generated inline')
  await stroke(90, 10)
  await expect.poll(() => current(page)).toBe('AI Interview Assistant')
})

test('it waits while it is hovered or focused, and continues afterwards', async () => {
  const { page } = await openFilms()
  await page.locator('.clips-stage').hover()
  await page.clock.runFor(45_000)
  await expect.poll(() => current(page)).toBe('AI Interview Assistant')
  await page.mouse.move(5, 790)
  await button(page, 'Next film').focus()
  await page.clock.runFor(45_000)
  await expect.poll(() => current(page)).toBe('AI Interview Assistant')
  await page.getByRole('link', { name: 'Demo' }).focus()
  await page.clock.runFor(20_500)
  await expect.poll(() => current(page)).toBe('Design Diagrams generated inline')
})

test('a film that does not load leaves its poster, shows no message, is only logged, and plays on a second try', async () => {
  // The browser logs the failed request itself; the page logs nothing more.
  const mayLog = /net::ERR_FAILED/
  const { page, context } = await openPage({ reducedMotion: 'no-preference', mayLog })
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
  // The headline can be stopped all the same.
  await films.getByRole('button', { name: 'Pause' }).click()
  await expect.poll(() => headlineOf(page)).toEqual(new Set(['paused']))
  await context.unroute(/\/clips\/.*\.(webm|mp4)$/)
  await films.getByRole('button', { name: 'Play' }).click()
  await films.getByRole('button', { name: 'Pause' }).waitFor()
  await expect.poll(() => film.getAttribute('data-ready')).toBe('true')
})

test('with Save-Data no film loads by itself', async () => {
  const { page, context } = await openPage({ reducedMotion: 'no-preference' })
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  const films: string[] = []
  page.on('request', (request) => {
    if (/\.(webm|mp4)$/.test(request.url())) films.push(request.url())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Play the examples' }).waitFor()
  expect(films).toEqual([])
})
