import { expect, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'

test('the word of the headline changes every 2.5 s, through all eight and from the start again', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const shown = await page.evaluate(() => {
    const words = [...document.querySelectorAll<HTMLElement>('.words > *')]
    return [0, 1, 2, 3, 4, 5, 6, 7, 8].map((turn) => {
      for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = turn * 2_500 + 1_250
      }
      return words
        .filter((word) => getComputedStyle(word).opacity === '1')
        .map((word) => word.innerText)
    })
  })
  expect(shown).toEqual([
    ['Interview'],
    ['Negotiation'],
    ['Coding round'],
    ['Conversation'],
    ['Deal'],
    ['Case Study'],
    ['HLD Round'],
    ['LLD Round'],
    ['Interview'],
  ])
})

test('in forced colours the chosen film and the chosen currency have a colour of their own, and captions that are on a border', async () => {
  const { page } = await openPage()
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/')
  const dots = await page
    .locator('.clips-dots button')
    .evaluateAll((buttons) =>
      buttons.map((button) => getComputedStyle(button, '::before').backgroundColor),
    )
  const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(new Set(dots).size).toBe(2)
  expect(dots).not.toContain(canvas)
  const borders = await page.locator('.clips-controls [aria-pressed]').evaluate((button) =>
    ['false', 'true'].map((isPressed) => {
      button.setAttribute('aria-pressed', isPressed)
      return getComputedStyle(button).border
    }),
  )
  expect(new Set(borders).size).toBe(2)
  await page.goto('/subscription')
  const [dollars, rupees] = await page
    .locator('.segments label')
    .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).backgroundColor))
  expect(dollars).not.toBe(rupees)
})
