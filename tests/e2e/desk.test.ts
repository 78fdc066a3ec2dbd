import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { users } from '../../edge-api/db/schema/users.ts'
import { PendingAlarms } from '../../edge-api/domain/alarm/pending-alarms.ts'
import { storeAlarms } from '../../edge-api/domain/alarm/store-alarms.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { askGood } from '../harness/ask.ts'
import { codeAt } from '../harness/factors.ts'
import { createMember } from '../harness/member.ts'
import { openPage } from '../harness/open-page.ts'
import { createOperator, OPERATOR_SECRET } from '../harness/operator.ts'
import { database } from '../harness/stored.ts'
import { createWorld } from '../harness/world/world.ts'
import { axeFindings, bringAxe } from './support/axe.ts'
import { REFUSED } from './support/complaints.ts'
import { expectPath, signInBrowser } from './support/person.ts'

const EVIL = '<img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script>'

test('an operator confirms, finds a customer, reads what they wrote as text, and suspends them', async () => {
  const operator = await createOperator()
  const member = await createMember({ hasPlan: true })
  const db = database()
  await db.batch([
    db.update(users).set({ firstName: EVIL }).where(eq(users.id, member.userId)),
    db.update(sessions).set({ device: EVIL }).where(eq(sessions.id, member.sessionId)),
    db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.id, operator.sessionId)),
  ])
  await askGood(member, submitTicketEndpoint, {
    body: { email: member.email, severity: 'low', isFeatureRequest: false, query: EVIL },
  })

  const { page } = await openPage({ reducedMotion: 'reduce', mayComplain: REFUSED })
  await bringAxe(page)
  await signInBrowser(page, operator.bearer)
  await page.goto('/settings?tab=desk')
  await page.getByLabel(/code/i).fill(codeAt(OPERATOR_SECRET, Date.now()))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectPath(page, '/desk')

  await page.getByRole('searchbox').fill(member.email.slice(0, 12))
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByRole('link', { name: member.email }).click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await page.getByText(EVIL).first().waitFor()
  expect(await page.getByText(EVIL).count()).toBeGreaterThan(2)
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false)
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Suspend the account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend the account' })
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.getByText('Say why').waitFor()
  await dialog.getByLabel('Why').fill('Resells accounts')
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.getByText('Nobody can sign in to the account.').waitFor()
  await dialog.getByRole('button', { name: 'Suspend the account' }).click()
  await page.getByText('suspend: Resells accounts').waitFor()
  expect((await member.call('/api/auth/me')).status).toBe(401)
})

test('an operator acknowledges an alarm, which then leaves the desk', async () => {
  const operator = await createOperator()
  const ctx = createWorld().ctx()
  const pending = new PendingAlarms()
  // Its field could come from a stranger.
  pending.add({ kind: 'mail given up', fields: { reason: EVIL }, at: ctx.now })
  await storeAlarms(ctx, pending)
  const { page } = await openPage({ reducedMotion: 'reduce', mayComplain: REFUSED })
  await bringAxe(page)
  await signInBrowser(page, operator.bearer)
  await page.goto('/settings?tab=desk')
  await expectPath(page, '/desk')
  const alarm = page.getByRole('listitem').filter({ hasText: 'A mail could not be delivered' })
  await alarm.getByText('A mail could not be delivered for a day').waitFor()
  await alarm.getByText(`reason: ${EVIL}`).waitFor()
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false)
  expect(await axeFindings(page)).toEqual([])

  await alarm.getByRole('button', { name: 'Acknowledge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Acknowledge' })
  await dialog.getByLabel('Why').fill('The mailbox is full')
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.getByText('The alarm "mail given up" leaves the desk.').waitFor()
  await dialog.getByRole('button', { name: 'Acknowledge' }).click()
  await alarm.waitFor({ state: 'detached' })
})
