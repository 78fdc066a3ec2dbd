import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { renderMail } from '../../edge-api/domain/mail/render.ts'
import { brand } from '../../site/brand.ts'
import { AUTH, TOAST } from '../../src/contract/messages.ts'
import { SESSION } from '../../src/contract/session-messages.ts'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { NOT_LOADED } from './support/console-errors.ts'
import { cutOff } from './support/cut-off.ts'
import { expectFocus } from './support/focus.ts'
import {
  expectPath,
  openAs,
  userWhoPaid,
  userWithPlan,
  registeredUser,
  resetPath,
  signIn,
  signInBrowser,
  useOverDays,
} from './support/user.ts'
import { asSafari15 } from './support/unusual-viewers.ts'

test('"Try Again" brings back what was typed, but no password', async () => {
  const { page } = await openPage({ mayLog: NOT_LOADED })
  const mend = await cutOff(page, /_astro\/.*\.js/)
  await page.goto('/login')
  await page.getByLabel('Email').fill('ada@example.com')
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('Louder-Otter-43')
  // As "Show" leaves it.
  await password.evaluate((field) => field.setAttribute('type', 'text'))
  await mend()
  await page.getByRole('link', { name: 'Try Again' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true, disabled: false }).waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ada@example.com')
  expect(await password.inputValue()).toBe('')
})

test('two tabs that wait at the sign-in each go on to their own page, and Back leads to the page before', async () => {
  const user = await registeredUser()
  const { page, context } = await openPage()
  const other = await context.newPage()
  await other.goto('/login?next=%2Ftokens')
  await page.goto('/about')
  await page.goto('/login?next=%2Fprofile')
  for (const name of ['Forgot your password?', 'Create an account']) {
    const link = page.getByRole('link', { name })
    await expect.poll(() => link.getAttribute('href')).toContain('next=%2Fprofile')
  }
  await signIn(page, user)
  await expectPath(page, '/profile')
  await expectPath(other, '/tokens')
  await page.goBack()
  await expectPath(page, '/about')
})

test('a reset link in a browser that is signed in says what to do; the settings mail one, and a toast over a dialog is dismissed alone', async () => {
  const user = await registeredUser()
  const link = await resetPath(user.email)
  const { page } = await openAs(user.bearer, link)
  // It stays for four seconds.
  await page.getByText(SESSION.resetSignedIn).waitFor()
  await expectPath(page, '/dashboard')
  await page.goto('/profile?tab=security')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  expect(await dialog.locator('[autocomplete=username]').inputValue()).toBe(user.email)
  const forgot = dialog.getByRole('button', { name: 'Forgot it? Email me a link' })
  await forgot.click()
  const toast = page.locator('.toast', { hasText: AUTH.resetFromSettings })
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  await toast.waitFor({ state: 'detached' })
  expect(await dialog.isVisible()).toBe(true)
  await expectFocus(forgot)
})

test('after a change of page the region of the toasts stands before their texts, which are read one by one', async () => {
  const { page } = await openPage()
  await page.addInitScript(() => {
    const first: string[] = []
    Object.assign(window, { first })
    new MutationObserver(() => {
      const region = document.querySelector('.toasts [role=status]')
      if (region && first.length === 0) first.push(region.textContent)
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/login')
  await signIn(page, await registeredUser())
  await page.getByText(TOAST.loggedIn).waitFor()
  expect(await page.evaluate('window.first')).toEqual([''])
  await expect
    .poll(() => page.locator('.toasts [role=status]').getAttribute('aria-atomic'))
    .toBe('false')
})

test('the header covers no heading', async () => {
  const { page } = await openPage({ width: 360, height: 740 })
  for (const path of ['/', '/about', '/subscription', '/login']) {
    await page.goto(path)
    const [header, heading] = await page
      .locator('.top:visible, h1:visible')
      .evaluateAll((both) => both.map((one) => one.getBoundingClientRect()))
    expect(heading?.top, path).toBeGreaterThan(header?.bottom ?? 0)
  }
})

test.each([
  ['a new browser', {}],
  ['Safari 15.6', { prepare: asSafari15 }],
])(
  'a guest with a phone that lies on its side reaches all of the menu in %s; Escape closes it, and so does Tab',
  async (_, options: PageOptions) => {
    const { page } = await openPage({ width: 640, height: 360, ...options })
    for (const path of ['/', '/about', '/login']) {
      await page.goto(path)
      await page.waitForFunction(() => 'showPopover' in HTMLElement.prototype)
      await page.getByRole('button', { name: 'Menu' }).click()
      const opened = page.locator('#menu:is(:popover-open, .popover-open)')
      await opened.waitFor()
      await page.keyboard.press('Escape')
      await opened.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Menu' }).click()
      const last = opened.getByRole('link', { name: 'Try for free' })
      await last.focus()
      await expectFocus(last)
      // A new browser opens it before the script is there that closes it.
      await expect.poll(async () => page.keyboard.press('Tab').then(() => opened.count())).toBe(0)
    }
  },
)

test('closed answers are printed open', async () => {
  const { page } = await openPage()
  await page.emulateMedia({ media: 'print' })
  for (const path of ['/subscription', '/api/docs']) {
    await page.goto(path)
    const closed = page.locator('details:not([open]) > :not(summary)')
    expect(await closed.count(), path).toBeGreaterThan(2)
    const shown = await closed.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().height > 0),
    )
    expect(new Set(shown), path).toEqual(new Set([true]))
  }
  await page.goto('/subscription')
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  expect(await page.locator('details:not([open])').count()).toBe(0)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  expect(await page.locator('details:not([open])').count()).toBeGreaterThan(2)
})

test('a link to a call in the description of the API opens it', async () => {
  const { page } = await openPage()
  await page.goto('/api/docs#usage')
  await page.locator('details[open] code', { hasText: '/api/usage' }).first().waitFor()
})

/** Fails when the page scrolls sideways on a phone of 360 px. */
async function expectNarrow(page: Page, what: string) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width, what).toBeLessThanOrEqual(360)
}

test('with the font of the browser at 32 px nothing is wider than a phone', async () => {
  const { page, context } = await openPage({ width: 360, height: 740 })
  const browser = await context.newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  const { bearer, userId } = await userWhoPaid()
  await useOverDays(userId, 3)
  const visit = async (path: string, shown = 'h1') => {
    await page.goto(path)
    await page.locator(shown).filter({ visible: true }).first().waitFor()
    await expectNarrow(page, path)
  }
  for (const path of ['/', '/login', '/careers', '/contact', '/api/docs']) await visit(path)
  await visit('/subscription', '.plan-buy')
  await signInBrowser(page, bearer)
  await visit('/tokens', '.days')
  await visit('/device')
  await visit('/subscription/cancel?reason=verification_failed')
  await visit('/dashboard', '.table-stacking')
  const receipt = await page.locator('a[href^="/receipt"]').getAttribute('href')
  await visit(receipt ?? '', '.receipt')
})

test('a mail with an id that cannot be broken is not wider than a phone', async () => {
  const { page } = await openPage({ width: 360, height: 740 })
  const refund = { amountMinor: 3_500, currency: 'USD' }
  const payload = JSON.stringify({ item: 'Pro', purchaseId: `pur_${'0'.repeat(26)}`, refund })
  const sender = { brand, origin: '', adminOrigin: '' }
  await page.setContent(renderMail({ kind: 'refund_failed', payload }, sender).html)
  await expectNarrow(page, 'the mail')
})

/** The left edges of the first character of a cell and of its whole text. */
function edgesOfSign(cell: Element) {
  const range = new Range()
  range.selectNodeContents(cell)
  const number = range.getBoundingClientRect().left
  range.setEnd(cell.firstChild ?? cell, 1)
  return { sign: range.getBoundingClientRect().left, number }
}

test('from right to left the bell is beside the name, numbers keep their sign, and time and the comparison still run to the right', async () => {
  const { bearer, userId } = await userWithPlan()
  await useOverDays(userId, 3)
  const { page } = await openAs(bearer, '/dashboard')
  const turn = () => page.evaluate(() => (document.documentElement.dir = 'rtl'))
  await turn()
  const edgesOf = (selector: string) =>
    page.locator(selector).evaluate((one) => one.getBoundingClientRect().toJSON())
  await expect.poll(() => page.locator('.bar-name').innerText()).not.toBe('')
  const [name, bell] = [await edgesOf('.bar-name'), await edgesOf('[popovertarget=notices]')]
  expect(name.left).toBeGreaterThanOrEqual(bell.right)
  await page.getByText('Today', { exact: true }).waitFor()
  const days = '.chart figcaption span'
  expect((await edgesOf(`${days}:first-child`)).left).toBeLessThan(
    (await edgesOf(`${days}:last-child`)).left,
  )
  await page.goto('/tokens')
  await page.getByText('Balance now').waitFor()
  await turn()
  const row = '.days tbody:last-child tr:last-child'
  const [entry, what] = [await edgesOf(`${row} th`), await edgesOf(`${row} th > span`)]
  expect(what.left).toBeGreaterThan((entry.left + entry.right) / 2)
  // The sign stands before the number.
  const signs = await page.locator(`${row} td`).first().evaluate(edgesOfSign)
  expect(signs.sign).toBe(signs.number)
  await page.goto('/')
  await turn()
  await page.locator('.compared input').focus()
  await page.keyboard.press('End')
  expect((await edgesOf('.edge')).left).toBeGreaterThan((await edgesOf('.side-you')).right)
})

test('the focus shows on the share of a mode that is pressed, and goes from "Show older" to what was older', async () => {
  const { bearer, userId } = await userWithPlan()
  await useOverDays(userId, 3)
  const { page } = await openPage()
  await signInBrowser(page, bearer)
  await page.route('**/api/usage/statement*', async (route) => {
    const url = new URL(route.request().url())
    const isFirst = !url.searchParams.has('cursor')
    url.searchParams.delete('cursor')
    const answer = await route.fetch({ url: url.href })
    const json = await answer.json()
    const part = isFirst
      ? { ...json, lines: json.lines.slice(0, 1), isWhole: false, nextCursor: '2' }
      : { ...json, lines: json.lines.slice(1) }
    await route.fulfill({ response: answer, json: part })
  })
  await page.goto('/tokens')
  const share = page.getByRole('button', { name: /^Meeting/ })
  await share.press('Enter')
  await page.locator('.share[aria-pressed=true]').waitFor()
  expect(await share.evaluate((one) => getComputedStyle(one).outlineWidth)).toBe('2px')
  await page.getByRole('button', { name: 'Show older' }).press('Enter')
  await expectFocus(page.locator('.days tbody > tr').nth(1))
})

test.each([
  ['light', 'dark'],
  ['dark', 'light'],
] as const)(
  'in forced colours of a %s system, the examples can be read in the %s theme',
  async (colorScheme, theme) => {
    const { page } = await openPage({ colorScheme })
    await page.emulateMedia({ forcedColors: 'active' })
    await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
    await page.goto('/')
    const colours = await page
      .locator('.scenes-dots, .scenes-dots *')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).color))
    const [body, paper] = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body)
      return [color, backgroundColor]
    })
    expect(new Set(colours)).toEqual(new Set([body]))
    const chosen = page.locator('.scenes-dots [aria-current]').first()
    // The body lets the canvas show through: the same colour with an opacity of 0.
    const canvas = paper?.replace(/^rgba(.+), 0\)$/, 'rgb$1)')
    expect(await chosen.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(canvas)
  },
)

test('texts of people keep their direction, and a day says that it is of UTC where the reader has another one', async () => {
  const user = await userWithPlan()
  await useOverDays(user.userId, 3)
  const words: string[] = []
  // At any time one of them has another date than UTC.
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Niue']) {
    const { page } = await openAs(user.bearer, '/dashboard', { timezoneId })
    const greeting = page.locator('.greeting bdi')
    await greeting.waitFor()
    await page.getByText('tokens a day on average').waitFor()
    words.push(await page.locator('.chart figcaption').innerText())
  }
  expect(words.join()).toContain('Today (UTC)')
  // A clock that is months ahead.
  const ahead = await openPage()
  await ahead.page.clock.setFixedTime(Date.now() + 70 * 86_400_000)
  await signInBrowser(ahead.page, user.bearer)
  await ahead.page.goto('/tokens')
  await ahead.page.getByText('Balance now').waitFor()
  const chosen = ahead.page.getByLabel('Month', { exact: true }).locator('option:checked')
  await ahead.page.getByLabel(`Totals for ${await chosen.innerText()}`).waitFor()
  const { page } = await openPage()
  await page.goto('/contact')
  expect(await page.getByLabel('How can we help?').getAttribute('dir')).toBe('auto')
})
