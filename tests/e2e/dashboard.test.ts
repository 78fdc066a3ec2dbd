import { changeRows } from '../harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { DOWNLOAD, PURCHASE } from '../../src/contract/messages.ts'
import { VERIFICATION } from '../../src/contract/session-messages.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { askGood } from '../harness/ask.ts'
import { createUser, signInAgain } from '../harness/user.ts'
import { openPage } from '../harness/open-page.ts'
import { database } from '../harness/stored.ts'
import { FAILED, REJECTED } from './support/console-errors.ts'
import { PAID } from './support/checkout.ts'
import { hold } from './support/hold.ts'
import {
  expectPath,
  userWithPlan,
  registeredUser,
  signInBrowser,
  announceTermsTo,
  useOverDays,
  openAs,
} from './support/user.ts'

test('a new account shows zeros, no badge, no token packs and a link to the plans', async () => {
  const user = await registeredUser()
  const { page } = await openAs(user.bearer, '/dashboard')
  await page.getByRole('heading', { name: `Hello, ${user.username}` }).waitFor()
  await page.getByText('No purchases yet').waitFor()
  await page.getByText('Verify your email to get 20,000 free tokens.').waitFor()
  await page.getByRole('heading', { name: 'Five steps to your first answer' }).waitFor()
  const main = await page.locator('main').innerText()
  expect(main).toMatch(/AI Tokens Used\s+0 \/ 0/)
  expect(main).toMatch(/Sessions Completed\s+0/)
  expect(main).toMatch(/Success Rate\s+0%/)
  expect(main).toMatch(/Time Saved\s+0h/)
  expect(main).toContain(
    'The app reports your sessions, how many went well, and the time they saved you.',
  )
  expect(main).not.toContain('Purchase More Tokens')
  await page.getByRole('link', { name: 'See plans' }).waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText(VERIFICATION.sentAgain).waitFor()
  await page.locator('p:focus', { hasText: 'Sent' }).waitFor()
})

test('the first steps are ticked as the account takes them, and disappear with the first answer; a refund is offered while tokens are left', async () => {
  const user = await createUser({ hasPlan: true })
  const { page } = await openAs(user.bearer, '/dashboard')
  const steps = () =>
    page
      .locator('.first-step')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-done')))
  await expect.poll(steps).toEqual(['true', 'true', 'false', 'false', 'false'])
  await page.getByText('1,000,000, about 500 answers.').waitFor()
  await page.getByText('Get the desktop app, then connect it.').waitFor()
  expect(await page.getByRole('link', { name: 'See the downloads' }).count()).toBe(1)
  const db = database()
  const isApps = eq(sessions.id, (await signInAgain(user)).sessionId)
  await changeRows(db, sessions, { kind: 'desktop' }, isApps)
  await page.reload()
  await expect.poll(steps).toEqual(['true', 'true', 'true', 'true', 'false'])
  await page.getByText('Your app is connected. Ask it something.').waitFor()
  await useOverDays(user.userId, 1)
  await page.reload()
  await page.getByText('999,000', { exact: true }).waitFor()
  await page.getByText('About 500 answers left').waitFor()
  await expect.poll(() => steps()).toEqual([])
  const refund = page.getByRole('link', { name: 'Get a refund' })
  await refund.waitFor()
  await askGood(user, useTokensEndpoint, { body: { amount: 999_000 } })
  await page.reload()
  await page.getByText('Your tokens are used up.').waitFor()
  await page.getByRole('link', { name: /^R-/ }).waitFor()
  expect(await refund.count()).toBe(0)
})

test('an account with a plan shows its badge, tokens, period and a receipt that opens, and no receipt of others', async () => {
  const user = await userWithPlan()
  const { page } = await openAs(user.bearer, '/dashboard', {
    mayLog: new RegExp(`${REJECTED.source}|${FAILED.source}`),
  })
  await page.getByText('/ 1,000,000').waitFor()
  await page.locator('.badge-green', { hasText: 'Active' }).waitFor()
  await page.getByText(/Active. Runs until /).waitFor()
  await page.route('**/api/payment/receipts/*', (route) => route.abort(), { times: 1 })
  await page.getByRole('link', { name: /^R-/ }).click()
  await expectPath(page, '/receipt')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: /^Receipt R-/ }).waitFor()
  const sheet = await page.locator('.receipt').innerText()
  expect(sheet).toContain(user.email)
  expect(sheet).toContain(PAID.USD)
  expect(sheet).not.toContain('Tax')
  expect(sheet).toContain('Card')

  for (const id of ['pur_01m7y70fee5paaq2f57vqxcv1k', 'x']) {
    await page.goto(`/receipt?id=${id}`)
    await page.getByRole('heading', { name: 'This receipt cannot be shown' }).waitFor()
    await page.getByText(PURCHASE.notFound).waitFor()
    expect(await page.getByRole('button', { name: 'Try Again' }).count()).toBe(0)
  }
  // The plan is active by the server's clock, and over by the reader's.
  await page.clock.setFixedTime(Date.now() + 400 * 86_400_000)
  await page.goto('/dashboard')
  await page.getByText('tokens left · last day of Pro').waitFor()
})

test('the dashboard asks once to accept changed terms that were announced 30 days ago', async () => {
  const user = await createUser()
  await announceTermsTo(user.userId, 31)
  const { page } = await openAs(user.bearer, '/dashboard')
  const notice = page.getByText(/privacy page changed/)
  await notice.waitFor()
  // Who got no free tokens gets them with another mail.
  await page.getByText('Tomorrow, press “Send again” and open the link in the email').waitFor()
  await page.getByRole('button', { name: 'Send again' }).waitFor()
  await page.getByRole('button', { name: 'Accept' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await expect.poll(() => notice.count()).toBe(0)
})

test('without an active plan the dashboard shows no badge, no token packs, what was used before the plan ended, and how to verify', async () => {
  const { page } = await openPage({ width: 360 })
  await signInBrowser(page, (await userWithPlan()).bearer)
  // After a reversal more tokens may have been used than the total.
  let tokens = { used: 1_200_000, total: 1_000_000 }
  await page.route('**/api/auth/me', async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text())
      .replace(/"tokens":\{[^}]*\}/, `"tokens":${JSON.stringify(tokens)}`)
      .replace(/"status":"\w+"/, '"status":"past_due"')
    await route.fulfill({ response: answer, body: text })
  })
  await page.goto('/dashboard')
  await page.getByText('1,200,000 used before your plan ended').waitFor()
  const active = page.getByText('Active', { exact: true }).filter({ visible: true })
  expect(await active.or(page.getByText(/100% used|Purchase More Tokens/)).count()).toBe(0)
  tokens = { used: 0, total: 0 }
  await page.route('**/api/payment/purchases?*', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"state":"paid"', '"state":"charged_back"')
    await route.fulfill({ response: answer, body })
  })
  await page.goto('/dashboard')
  await page.getByText('which ended the plan. You have no tokens left. To verify').waitFor()
  await page.getByRole('button', { name: 'Send again' }).waitFor()
  // The longest badge cuts off no amount.
  await page.goto('/profile?tab=subscription')
  const table = page.locator('.table-scroll', { hasText: 'Returned by your bank' })
  const room = await table.evaluate((one) => one.clientWidth - one.scrollWidth)
  expect(room).toBe(0)
})

test('tokens that the app used while another window was in front are gone when one is back, step by step unless motion is reduced', async () => {
  const user = await createUser({ hasPlan: true })
  const { page } = await openAs(user.bearer, '/dashboard', { reducedMotion: 'no-preference' })
  const left = page.locator('.tokens-left strong')
  await page.getByText('Ask it something').or(page.getByText('Get the desktop app')).waitFor()
  for (const [reducedMotion, used, rest, event] of [
    ['no-preference', '1,000', '999,000', 'focus'],
    // As after a step back.
    ['reduce', '2,000', '998,000', 'pageshow'],
  ] as const) {
    await page.emulateMedia({ reducedMotion })
    await askGood(user, useTokensEndpoint, { body: { amount: 1_000 } })
    const seen = await left.evaluateHandle((place) => {
      const texts = new Set<string>()
      new MutationObserver(() => texts.add(place.textContent)).observe(place, {
        childList: true,
        characterData: true,
        subtree: true,
      })
      return texts
    })
    const purchases = page.waitForRequest('**/api/payment/purchases?*')
    await page.evaluate((type) => {
      dispatchEvent(new PageTransitionEvent(type, { persisted: true }))
    }, event)
    await purchases
    await page.getByText(`${used} / 1,000,000`).waitFor()
    await expect.poll(() => left.innerText()).toMatch(new RegExp(`^​?${rest}$`))
    const between = await seen.evaluate(
      (texts, last) => [...texts].filter((text) => text !== last),
      rest,
    )
    expect(between.length > 0).toBe(reducedMotion === 'no-preference')
  }
})

test('the usage chart has thirty bars and the same figures as a table', async () => {
  const { page } = await openPage()
  const user = await createUser({ hasPlan: true })
  const used = await useOverDays(user.userId, 40)
  await signInBrowser(page, user.bearer)
  const release = await hold(page, '**/api/usage?*')
  await page.goto('/dashboard')
  // Zeros would be wrong.
  const figures = page.locator('.cards .figure-value')
  await expect
    .poll(() => figures.allInnerTexts())
    .toEqual([expect.stringContaining('/'), '–', '–', '–'])
  release()
  const shown = used.slice(-30)
  const sum = shown.reduce((total, tokens) => total + tokens, 0)
  const average = Math.round(sum / 30).toLocaleString('en-US')
  await page.getByText(/^At this pace, your tokens will last until \d/).waitFor()
  await page.getByText(`${average} tokens a day on average`).waitFor()
  const bars = page.getByRole('img', { name: /Tokens used per day, from .* to / }).locator('rect')
  await expect.poll(() => bars.count()).toBe(30)
  const shownDay = page.locator('.chart-shown strong')
  const inWords = (tokens = 0) => tokens.toLocaleString('en-US')
  await expect.poll(() => shownDay.innerText()).toBe(inWords(shown.at(-1)))
  await page.getByRole('slider', { name: 'Day' }).press('ArrowLeft')
  await expect.poll(() => shownDay.innerText()).toBe(inWords(shown.at(-2)))
  await page.getByRole('slider', { name: 'Day' }).hover({ position: { x: 1, y: 20 } })
  await expect.poll(() => shownDay.innerText()).toBe(inWords(shown.at(0)))
  await page.getByText('Show as a table').click()
  const region = page.getByRole('region', { name: 'Tokens used per day' })
  await region.waitFor()
  await page.keyboard.press('Tab')
  // A ring around the region itself is cut.
  const ring = () =>
    page.locator('.chart-table').evaluate((one) => getComputedStyle(one).outlineStyle)
  await expect.poll(ring).toBe('solid')
  await expect.poll(() => region.getByRole('rowheader').count()).toBe(30)
  const cells = await page.locator('.chart-table td:last-child').allInnerTexts()
  expect(cells).toEqual(shown.toReversed().map((tokens) => tokens.toLocaleString('en-US')))
  const all = used.reduce((total, tokens) => total + tokens, 0)
  await page.getByText(`${all.toLocaleString('en-US')} / 1,000,000`).waitFor()
  const main = await page.locator('main').innerText()
  expect(main).toMatch(/Sessions Completed\s+40/)
  expect(main).toMatch(/Success Rate\s+75%/)
  expect(main).toMatch(/Time Saved\s+10h/)
})

test('on a phone the link of the app is shared, copied, or mailed to a verified user', async () => {
  const phone = { width: 360, height: 740, isMobile: true, hasTouch: true }
  const { page, context } = await openPage(phone)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/download')
  const press = (name: string) => page.getByRole('button', { name }).click()
  await press('Send the link to my computer')
  await press('Copy the link')
  await page.getByText('Copied. Send it to yourself').waitFor()
  const link = new URL('/download', page.url()).href
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  // This browser shares nothing, and a guest has no address.
  expect(await page.getByRole('button', { name: /Share|Email/ }).count()).toBe(0)

  await page.addInitScript(() => {
    navigator.share = async ({ url } = {}) => void Object.assign(window, { shared: url })
  })
  await signInBrowser(page, (await createUser()).bearer)
  for (const path of ['/download', '/dashboard']) {
    await page.goto(path)
    await press('Send the link to my computer')
    await press('Share the link')
    await expect.poll(() => page.evaluate('window.shared'), { message: path }).toBe(link)
    await press('Email it to me')
    await page.getByText(DOWNLOAD.mailed).waitFor()
    await page.locator('button:focus', { hasText: 'Email it to me' }).waitFor()
  }
})
