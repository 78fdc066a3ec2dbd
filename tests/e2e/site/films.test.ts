import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button, current, expectStill, film, openFilms } from './open-films.ts'

function playing(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('video[src]')]
      .flatMap((video) => (video instanceof HTMLVideoElement ? [video] : []))
      .map(({ paused, muted, loop, playbackRate, currentTime }) => ({
        paused,
        muted,
        loop,
        playbackRate,
        isAtStart: currentTime === 0,
      })),
  )
}

test('the first film plays at 1.25 times its speed, muted and in a loop; "Unmute" turns on its sound', async () => {
  const { page } = await openFilms()
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

test('after 20 s the next film plays, and the previous one is paused and rewound; "Next film" shows the next, and nothing advances any more', async () => {
  const { page } = await openFilms()
  await expect
    .poll(() => film(page).evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0.1)
  await page.clock.runFor(18_500)
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
