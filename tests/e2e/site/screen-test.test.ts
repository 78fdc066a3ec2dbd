import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'

const SHARE = 'Share my screen with this page'

/** The browser of the tests has no screen to share: a drawing stands in for it, of a whole screen or of a window. */
const shareAs = (page: Page, surface: 'monitor' | 'window') =>
  page.addInitScript((displaySurface) => {
    const canvas = document.createElement('canvas')
    canvas.getContext('2d')?.fillRect(0, 0, 1, 1)
    const stream = canvas.captureStream(1)
    for (const track of stream.getTracks()) track.getSettings = () => ({ displaySurface })
    navigator.mediaDevices.getDisplayMedia = () => Promise.resolve(stream)
  }, surface)

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

test('a visitor sees their shared screen, says what is on it, and reads what that means; nothing is sent', async () => {
  const { page } = await openPage()
  await shareAs(page, 'monitor')
  await page.goto('/screen-sharing')
  await press(page, SHARE)
  await page.locator('video').waitFor()
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await page.getByText('Is the answer of the app on your screen now?').waitFor()
  expect(await page.getByText('in this picture').count()).toBe(0)
  await press(page, 'Not yet')
  await press(page, 'It is on my screen now')
  await page.getByText('Do you see it in this picture too?').waitFor()
  await press(page, 'No')
  await page
    .getByText(/this browser leaves it out.*Test once more in the app that you meet in/)
    .waitFor()
  expect(sent).toEqual([])
  await press(page, 'Stop sharing')
  await expect.poll(() => page.locator('video').count()).toBe(0)
  await page.getByRole('button', { name: SHARE }).waitFor()
})

test('a shared window proves nothing, and where the browser cannot share, a call does', async () => {
  const { page } = await openPage()
  await shareAs(page, 'window')
  await page.goto('/screen-sharing')
  await press(page, SHARE)
  await page.getByText('You shared a window or a tab.').waitFor()
  await page.addInitScript(() => Reflect.deleteProperty(MediaDevices.prototype, 'getDisplayMedia'))
  await page.addInitScript(() => Reflect.deleteProperty(navigator.mediaDevices, 'getDisplayMedia'))
  await page.reload()
  await press(page, SHARE)
  await page.getByText('This browser cannot show you your screen.').waitFor()
})
