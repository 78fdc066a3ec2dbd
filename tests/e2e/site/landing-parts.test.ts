import { expect, test } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { openPage, stopClock } from '../../harness/open-page.ts'
import { openAs } from '../support/person.ts'

test('the edge sweeps once from 0 to 100 and back to 68, and the answer is written on the way; the word changes every 2.5 s, through all eight and from the start again', async () => {
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
  ).toBe('68%')

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

async function openPanel() {
  const opened = await openPage({ reducedMotion: 'no-preference' })
  const { page } = opened
  await stopClock(page)
  await page.goto('/', { waitUntil: 'load' })
  const panel = page.locator('.feature-panel')
  await panel.scrollIntoViewIfNeeded()
  await expect
    .poll(async () => {
      await page.clock.runFor(200)
      return page.locator('.feature-panel[data-auto]').count()
    })
    .toBe(1)
  await page.mouse.move(5, 5)
  const title = () => panel.locator('.scenes > [data-current] h3').innerText()
  return { ...opened, panel, title }
}

test('the six panels change every 3 s and wait while they are hovered; a chosen question is typed and answered, and ends the turning', async () => {
  const { page, panel, title } = await openPanel()
  const seen = new Set<string>()
  for (let turn = 0; turn < 7; turn++) {
    const shown = await title()
    seen.add(shown)
    await page.clock.runFor(3_000)
    await expect.poll(title).not.toBe(shown)
  }
  expect(seen.size).toBe(6)

  const before = await title()
  await panel.locator('.scenes > [data-current] .overlay').hover()
  await page.clock.runFor(30_000)
  await expect.poll(() => title()).toBe(before)

  await panel.getByRole('button', { name: 'Sales' }).click()
  await expect.poll(title).toBe('Sales')
  const typed = panel.locator('.scenes > [data-current]')
  expect(await typed.locator('.heard .written').count()).toBe(35)
  expect(await typed.locator('.overlay').textContent()).toContain('Compare a year, not a month.')
  await page.mouse.move(5, 5)
  await panel.getByRole('button', { name: 'Sales' }).blur()
  await page.clock.runFor(20_000)
  await expect.poll(() => title()).toBe('Sales')
  await panel.getByRole('button', { name: 'Play' }).click()
  await panel.getByRole('button', { name: 'Pause' }).blur()
  await page.mouse.move(5, 5)
  await page.clock.runFor(3_200)
  await expect.poll(title).toBe('Negotiation')
})

test('the download for the system of the browser leads, is marked and is read out as two words', async () => {
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
  const { page } = await openPage({ userAgent })
  await page.goto('/download')
  expect(await page.locator('.downloads h2').first().innerText()).toContain('Windows')
  const heading = page.getByRole('heading', { name: 'Windows Your system', exact: true })
  expect(await heading.count()).toBe(1)
  expect(await page.getByText('Your system').filter({ visible: true }).count()).toBe(1)
})

test('signed-in users are offered the dashboard instead of an account', async () => {
  const { page } = await openAs('a token', '/')
  const shown = async (place: string) =>
    page.locator(`${place} a`).filter({ visible: true }).allInnerTexts()
  await expect
    .poll(() => shown('header'))
    .toEqual([brand.productName, 'Demo', 'Download', 'Dashboard'])
  await expect.poll(() => shown('.hero-words')).toContain('Open the dashboard')
  expect(await page.locator('[data-account-nav]').count()).toBe(0)
  await page.evaluate(() => {
    localStorage.clear()
  })
  await page.reload()
  await expect
    .poll(() => shown('header'))
    .toEqual([brand.productName, 'Demo', 'Download', 'Sign In', 'Try for free'])
  await expect.poll(() => shown('.hero-words')).not.toContain('Open the dashboard')
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
