import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type PageOptions, stopClock } from '../../harness/open-page.ts'

/** Opens the landing page with its first film started, from the HTML alone, and a clock that the test moves. */
async function openPlaying(options: PageOptions = {}) {
  const opened = await openPage({ reducedMotion: 'no-preference', ...options })
  const { page } = opened
  await stopClock(page)
  await page.goto('/', { waitUntil: 'load' })
  await expect
    .poll(async () => {
      await page.clock.runFor(100)
      return page.locator('video[data-since]').count()
    })
    .toBe(1)
  return opened
}

/** The same, with the island hydrated as if somebody had pointed at it. */
async function openFilms(options: PageOptions = {}) {
  const opened = await openPlaying(options)
  await opened.page.locator('astro-island:has(.clips)').dispatchEvent('pointerover')
  await isHydrated(opened.page)
  return opened
}

/** Waits until the films have hydrated and their buttons have names. */
async function isHydrated(page: Page) {
  await page.locator('astro-island:not([ssr]) .clips').waitFor()
  await button(page, 'Pause').waitFor()
}

const current = (page: Page) => page.locator('.clip[data-current] h2').innerText()
const film = (page: Page) => page.locator('.clip[data-current] video')
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name: 'Films' }).getByRole('button', { name })

function playing(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('video')].map(
      ({ paused, muted, loop, playbackRate, currentTime }) => ({
        paused,
        muted,
        loop,
        playbackRate,
        isAtStart: currentTime === 0,
      }),
    ),
  )
}

test('the first film plays without React at 1.25 times its speed, muted and in a loop; "Unmute" turns on its sound', async () => {
  const { page, complaints } = await openPlaying()
  await expect
    .poll(() => film(page).evaluate((video: HTMLVideoElement) => video.paused))
    .toBe(false)
  await expect
    .poll(() => playing(page))
    .toEqual([
      { paused: false, muted: true, loop: true, playbackRate: 1.25, isAtStart: expect.anything() },
    ])
  const source = () => film(page).evaluate((video: HTMLVideoElement) => video.currentSrc)
  await expect.poll(source).toContain('/ai-interview-assistant.')
  await button(page, 'Pause').waitFor()
  expect(complaints).toEqual([])

  await page.locator('astro-island:has(.clips)').dispatchEvent('pointerover')
  await isHydrated(page)
  await button(page, 'Unmute').click()
  await button(page, 'Mute').waitFor()
  await expect
    .poll(() => playing(page))
    .toMatchObject([{ paused: false, muted: false, loop: true }])
  const heardBytes = () =>
    film(page).evaluate((video) =>
      'webkitAudioDecodedByteCount' in video ? video.webkitAudioDecodedByteCount : 0,
    )
  await expect.poll(heardBytes).toBeGreaterThan(0)
})

test('in each theme a film begins with the answer that its poster shows', async () => {
  const { page } = await openPlaying({ colorScheme: 'dark' })
  const shown = () =>
    page.locator('.clip[data-current]').evaluate((clip) => {
      const [poster, video] = [clip.querySelector('img'), clip.querySelector('video')]
      const name = (address = '') => address.split('/').at(-1)?.split('.')[0]
      return [name(poster?.currentSrc), name(video?.currentSrc), Number(video?.currentTime) > 10]
    })
  const [light, dark] = ['ai-interview-assistant', 'ai-interview-assistant-dark']
  await expect.poll(shown).toEqual([dark, dark, true])
  await page.getByLabel('Theme').selectOption('light')
  await isHydrated(page)
  await expect.poll(shown).toEqual([light, light, true])
  await page.getByLabel('Theme').selectOption('dark')
  await expect.poll(shown).toEqual([dark, dark, true])
})

test('after 20 s the next film plays, and the previous one is paused and rewound; "Next film" shows the next, and nothing advances any more', async () => {
  const { page } = await openPlaying()
  await expect
    .poll(() => film(page).evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0.1)
  await page.clock.runFor(18_500)
  await isHydrated(page)
  await expect.poll(() => current(page)).toBe('AI Interview Assistant')
  await page.clock.runFor(2_000)
  await expect.poll(() => current(page)).toBe('Design Diagrams generated inline')
  await expect
    .poll(() => film(page).evaluate((video: HTMLVideoElement) => video.paused))
    .toBe(false)
  const [before, now] = await playing(page)
  expect(before).toMatchObject({ paused: true, isAtStart: true })
  expect(now).toMatchObject({ paused: false })
  await button(page, 'Next film').click()
  await expectStill(page, 'Product Management Interview')
})

/** Three films later, with no mouse or focus on the films, this one is still shown. */
async function expectStill(page: Page, shown: string) {
  await expect.poll(() => current(page)).toBe(shown)
  await page.mouse.move(5, 790)
  await page.evaluate(
    () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  )
  await page.clock.runFor(65_000)
  await expect.poll(() => current(page)).toBe(shown)
}

test('"Pause" stops the films and the word in the headline; arrow keys and a sideways swipe turn them, an upward one does not', async () => {
  const { page } = await openFilms()
  await button(page, 'Pause').click()
  await expectStill(page, 'AI Interview Assistant')
  const states = await page
    .locator('.words > *')
    .evaluateAll((words) => words.map((word) => getComputedStyle(word).animationPlayState))
  expect(new Set(states)).toEqual(new Set(['paused']))
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
