import { eq } from 'drizzle-orm'
import type { Locator, Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { supportTickets } from '../../edge-api/db/schema/records.ts'
import { PendingAlarms, storeAlarms } from '../../edge-api/domain/alarm/store-alarms.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { askGood } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'
import { openPage } from '../harness/open-page.ts'
import { createOperator } from '../harness/operator.ts'
import { database, mailsTo } from '../harness/stored.ts'
import { createWorld } from '../harness/world/world.ts'
import { axeFindings, bringAxe } from './support/axe.ts'
import { REFUSED } from './support/complaints.ts'
import { signInBrowser } from './support/person.ts'

const EVIL = '<img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script>'

test('an operator answers a ticket in its row of the queue, and acknowledges an alarm; both then leave the desk', async () => {
  const operator = await createOperator()
  const [member, other] = [await createMember(), await createMember()]
  const query = 'How do I move the overlay to my second screen?'
  for (const { email } of [member, other]) {
    const body = { email, severity: 'low', isFeatureRequest: false, query } as const
    await askGood(member, submitTicketEndpoint, { body })
  }
  // The queue shows the oldest of each kind.
  const db = database()
  const isMembers = eq(supportTickets.email, member.email)
  await db.batch([db.update(supportTickets).set({ createdAt: 1_000 }).where(isMembers)])
  const ctx = createWorld().ctx()
  const pending = new PendingAlarms()
  // Its field could come from a stranger.
  pending.add({ kind: 'mail given up', fields: { reason: EVIL }, at: ctx.now })
  await storeAlarms(ctx, pending)

  const { page } = await openPage({ reducedMotion: 'reduce', mayComplain: REFUSED })
  await bringAxe(page)
  await signInBrowser(page, operator.bearer)
  // As if the form had another field.
  await page.route('**/api/desk/tickets/*', async (route) => {
    const answer = await route.fetch()
    const json = { ...(await answer.json()), fields: [['company', 'well-known']] }
    await route.fulfill({ response: answer, json })
  })
  await page.goto('/desk')
  const alarm = page.getByRole('listitem').filter({ hasText: 'An email could not be delivered' })
  await alarm.locator('summary').getByText(`reason: ${EVIL}`).waitFor()
  await alarm.locator('summary').click()
  await alarm.getByText('An email could not be delivered for a day').waitFor()
  await expect.poll(() => page.evaluate(() => 'wasRun' in window)).toBe(false)
  const row = page.locator('.desk-rows > li').filter({ hasText: member.email })
  await row.getByRole('button', { name: 'Answer', exact: true }).click()
  await row.getByText('well-known', { exact: true }).waitFor()
  const words = row.getByLabel('Your answer')
  await words.fill('Drag it by its upper edge.')
  await expect.poll(() => axeFindings(page, 'dark')).toEqual([])
  await row.getByRole('button', { name: 'Close' }).click()
  await row.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect.poll(() => words.inputValue()).toBe('Drag it by its upper edge.')
  // What is typed while the preview loads is not in it, so it is not sent.
  const typeOn = async (route: Route) => {
    await words.fill('Not read yet')
    await row.getByRole('radio', { name: 'Note' }).click()
    await route.continue()
  }
  await page.route('**/api/desk/submissions', typeOn, { times: 1 })
  await row.getByRole('button', { name: 'Preview the email' }).click()
  await row.locator('.desk-changes:focus').waitFor()
  await row.getByRole('button', { name: 'Send it' }).click()
  await page.getByText('Sent and logged.').waitFor()
  const mail = (await mailsTo(member.email)).find(({ kind }) => kind === 'submission_answer')
  expect(mail?.text).toContain('Drag it by its upper edge.')
  await row.waitFor({ state: 'detached' })
  await page.locator('main :focus, main:focus').waitFor()

  await alarm.getByRole('button', { name: 'Acknowledge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Acknowledge' })
  await dialog.getByLabel('Reason').fill('The mailbox is full')
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await dialog.getByText('The alarm "mail given up" leaves the desk.').waitFor()
  const held = Promise.withResolvers<null>()
  await page.route('**/api/desk/**', (route) => held.promise.then(() => route.continue()))
  await dialog.getByRole('button', { name: 'Acknowledge' }).click()
  await dialog.getByRole('button', { name: 'One moment…' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await dialog.isVisible()).toBe(true)
  held.resolve(null)
  await alarm.waitFor({ state: 'detached' })

  // Back leads to the same place of the queue.
  await page.setViewportSize({ width: 1280, height: 300 })
  const link = page.locator('.desk-rows a').last()
  await link.click({ trial: true })
  const place = await page.evaluate(() => scrollY)
  await link.click()
  await page
    .getByRole('heading', { name: /^[TA]-\d|Timeline/ })
    .first()
    .waitFor()
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
})

test('an announcement covers the foot of public pages and of the app, as text, moves nothing, and stays closed until the next', async () => {
  const member = await createMember()
  const { page } = await openPage({ reducedMotion: 'reduce' })
  await bringAxe(page)
  // Fakes only the answer: a real announcement would be on the pages of all other tests.
  const json = { success: true, announcement: { version: 7, text: EVIL, until: null } }
  let tell: () => void = () => undefined
  await page.route('**/api/announcement', async (route) => {
    await new Promise<void>((resolve) => {
      tell = resolve
    })
    await route.fulfill({ json })
  })
  const banner = page.getByRole('complementary', { name: 'Announcement' })
  for (const path of ['/', '/login']) {
    const asked = page.waitForRequest('**/api/announcement')
    await page.goto(path)
    await asked
    const before = await shiftOf(page)
    tell()
    await banner.getByText(EVIL).waitFor()
    await expect.poll(() => page.evaluate(() => 'wasRun' in window)).toBe(false)
    await expect.poll(() => shiftOf(page), { message: path }).toBe(before)
    await page.keyboard.press('End')
    const end = page.locator('footer select')
    await expect.poll(() => gapBetween(end, banner), { message: path }).toBeGreaterThan(0)
  }
  await page.unroute('**/api/announcement')
  await page.route('**/api/announcement', (route) => route.fulfill({ json }))
  await expect.poll(() => axeFindings(page, 'dark')).toEqual([])
  await signInBrowser(page, member.bearer)
  await page.goto('/dashboard')
  await banner.getByRole('button', { name: 'Close' }).click()
  await banner.waitFor({ state: 'detached' })
  const asked = page.waitForResponse('**/api/announcement')
  await page.goto('/privacy')
  await asked
  await page.waitForLoadState('networkidle')
  await expect.poll(() => banner.count()).toBe(0)
  json.announcement.version = 8
  await page.reload()
  await banner.waitFor()
})

/** How many pixels below the end of the first part the second begins. */
async function gapBetween(above: Locator, below: Locator): Promise<number> {
  const [first, second] = [await above.boundingBox(), await below.boundingBox()]
  return (second?.y ?? 0) - (first?.y ?? 0) - (first?.height ?? 0)
}

/** How far the parts of the page have moved since it began to load. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => {
          resolve(
            list.getEntries().reduce((sum, entry) => sum + Number(Reflect.get(entry, 'value')), 0),
          )
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => {
          resolve(0)
        }, 300)
      }),
  )
}
