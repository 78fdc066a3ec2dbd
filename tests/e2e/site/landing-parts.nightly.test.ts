import { expect, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'

test('the edge sweeps once from 0 to 100 and back to 50, and the answer is written on the way; the word changes every 2.5 s, through all eight and from the start again', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const compare = page.locator('.compared.sweeps')
  const at = (ms: number) =>
    compare.evaluate((element, time) => {
      const [sweep] = element.getAnimations()
      if (sweep === undefined) throw new Error('The edge has no animation.')
      sweep.currentTime = time
      const line = element.querySelector('pre + .writes') ?? element
      return [getComputedStyle(element).getPropertyValue('--at'), getComputedStyle(line).clipPath]
    }, ms)
  await expect
    .poll(() => compare.evaluate((element) => element.getAnimations()[0]?.playState))
    .toBe('paused')
  await compare.scrollIntoViewIfNeeded()
  await expect
    .poll(() => compare.evaluate((element) => element.getAnimations()[0]?.playState))
    .toBe('running')
  const [hidden, whole] = ['inset(0px 100% 0px 0px)', 'inset(0px 0% 0px 0px)']
  expect([await at(0), await at(3_000)]).toEqual([
    ['0%', hidden],
    ['100%', whole],
  ])
  await compare.evaluate((element) => element.getAnimations()[0]?.finish())
  expect(
    await compare.evaluate((element) => getComputedStyle(element).getPropertyValue('--at')),
  ).toBe('50%')

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

test('in forced colours the chosen film, the captions, the chosen currency and the films have a colour of their own', async () => {
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
  const pressed = await page.locator('.clips-controls [aria-pressed]').evaluate((button) => {
    button.setAttribute('aria-pressed', 'true')
    return getComputedStyle(button).backgroundColor
  })
  expect(dots).toContain(pressed)
  await page.goto('/subscription')
  const [dollars, rupees] = await page
    .locator('.segments label')
    .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).backgroundColor))
  expect(dollars).not.toBe(rupees)
})
