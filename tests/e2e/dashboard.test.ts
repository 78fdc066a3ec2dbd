import { expect, test } from 'vitest'
import { readNoticesEndpoint } from '../../src/contract/notice.ts'
import { openPage } from '../harness/open-page.ts'
import { personWhoPaid, personWithPlan } from './support/buyer.ts'
import { REFUSED } from './support/complaints.ts'
import { expectPath, registeredPerson, signInBrowser } from './support/person.ts'

test('a new account: zeros, no badge, no token packs, the way to the plans', async () => {
  const { page, complaints } = await openPage()
  const person = await registeredPerson()
  await signInBrowser(page, person.token)
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: `Hello, ${person.username}` }).waitFor()
  await page.getByText('Nothing bought yet').waitFor()
  const main = await page.locator('main').innerText()
  expect(main).toMatch(/AI Tokens Used\s+0 \/ 0/)
  expect(main).toMatch(/Sessions Completed\s+0/)
  expect(main).toMatch(/Success Rate\s+0%/)
  expect(main).toMatch(/Time Saved\s+0h/)
  expect(main).toContain('No tokens used yet')
  expect(main).not.toContain('Purchase More Tokens')
  await page.getByRole('link', { name: 'See plans' }).waitFor()
  expect(complaints).toEqual([])
})

test('"Send again" on the banner sends once and says so', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('We sent you a new verification email.').waitFor()
  expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0)
})

test('with a plan: badge, tokens, plan and a receipt that opens', async () => {
  const { page } = await openPage()
  const person = await personWithPlan()
  await signInBrowser(page, person.token)
  await page.goto('/dashboard')
  await page.getByText('/ 1,000,000').waitFor()
  await page.locator('.badge-green', { hasText: 'Active' }).waitFor()
  await page.getByText(/Active. Runs until /).waitFor()
  await page.getByRole('link', { name: /^R-/ }).click()
  await expectPath(page, '/receipt')
  await page.getByRole('heading', { name: /^Receipt R-/ }).waitFor()
  const lines = page.locator('.receipt-lines')
  const amounts = lines.locator('tr > :last-child')
  expect(
    await amounts.evaluateAll((cells) =>
      cells.map((cell) => cell.computedStyleMap().get('padding-right')?.toString()),
    ),
  ).toEqual(await amounts.evaluateAll((cells) => cells.map(() => '0px')))
  const sheet = await page.locator('.receipt').innerText()
  expect(sheet).toContain(person.email)
  expect(sheet).toContain('$35.00')
  expect(sheet).toContain('Card')
})

test("somebody else's receipt is not shown", async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/receipt?id=pur_01m7y70fee5paaq2f57vqxcv1k')
  await page.getByRole('heading', { name: 'This receipt cannot be shown' }).waitFor()
  await page.goto('/receipt?id=x')
  await page.getByText('We could not find that purchase.').waitFor()
})

test('the bell counts what is new, lists it and marks it read', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWhoPaid()).token)
  await page.goto('/dashboard')
  const marked = page.waitForResponse((answer) => answer.url().endsWith(readNoticesEndpoint.path))
  await page.getByRole('button', { name: /Notifications, 1 unread/ }).click()
  await page.getByText('Payment received: Pro.').waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await marked
  await page.reload()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  expect(await page.getByRole('button', { name: /unread/ }).count()).toBe(0)
})

test('the token modal keeps the focus, and Escape brings it back to its button', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/dashboard')
  const opener = page.getByRole('button', { name: 'Purchase More Tokens' })
  await opener.click()
  await page.getByRole('dialog', { name: 'Purchase More Tokens' }).waitFor()
  await page.getByRole('button', { name: 'Pay $25.00' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
})
