import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { users } from '../../edge-api/db/schema/users.ts'
import { exampleOf } from '../../site/openapi/examples.ts'
import { ApplicationInput, applyEndpoint } from '../../src/contract/careers.ts'
import {
  INBOX,
  saveAnswerEndpoint,
  submissionActEndpoint,
  ticketEndpoint,
} from '../../src/contract/desk-inbox.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { askGood } from '../harness/ask.ts'
import { codeAt } from '../harness/factors.ts'
import { createMember, type Member } from '../harness/member.ts'
import { openPage } from '../harness/open-page.ts'
import { createOperator, OPERATOR_SECRET } from '../harness/operator.ts'
import { database, mailsTo } from '../harness/stored.ts'
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
  await page.goto('/desk')
  await page.locator('[name=code]:focus').waitFor()
  await page.keyboard.type(codeAt(OPERATOR_SECRET, Date.now()))
  await page.getByRole('button', { name: 'Continue' }).click()
  // What is typed while the dialog is still open goes into the dialog.
  await page.getByRole('region', { name: 'Money, by UTC day' }).waitFor()

  // A day with sales is not drawn as one without.
  const bars = page.locator('.desk-spark [data-empty]')
  await expect
    .poll(() =>
      bars.evaluateAll((all) => all.filter((bar) => bar.getAttribute('height') !== '1').length),
    )
    .toBe(0)

  // As on a screen of 1280 pixels at 400 %.
  await page.setViewportSize({ width: 320, height: 256 })
  await page.getByText('Show by day').click()
  const cut = page.locator('.table-scroll, .desk-figures, .desk-figures *')
  await expect
    .poll(() =>
      cut.evaluateAll(
        (parts) =>
          parts.filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
            .length,
      ),
    )
    .toBe(0)
  await page.setViewportSize({ width: 1280, height: 900 })

  await page.keyboard.press('Control+/')
  await page.keyboard.type(member.email.slice(0, 12))
  await page.keyboard.press('Enter')
  await page.locator('.rows:focus').waitFor()
  await page.getByRole('link', { name: member.email }).click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await page.getByText(EVIL).first().waitFor()
  await expect.poll(() => page.getByText(EVIL).count()).toBeGreaterThan(2)
  await expect.poll(() => page.evaluate(() => 'wasRun' in window)).toBe(false)
  await expect.poll(() => axeFindings(page, 'light')).toEqual([])

  const acts = page.getByRole('button', { name: 'End all sessions' }).locator('..')
  const lines = await acts
    .locator('> button')
    .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size)
  expect(lines).toBe(1)
  await page.getByRole('button', { name: 'Add or remove tokens' }).click()
  const gift = page.getByRole('dialog', { name: `Add or remove tokens: ${member.email}` })
  await gift.getByLabel('Tokens').fill('five')
  await gift.getByLabel('Reason').fill('The app was down')
  await gift.getByRole('button', { name: 'Preview changes' }).click()
  await gift.getByText('Enter a whole number of tokens').waitFor()
  await gift.getByLabel('Tokens').fill('5,000')
  await gift.getByRole('button', { name: 'Preview changes' }).click()
  await gift.getByText('5,000 tokens are given').waitFor()
  const changes = await gift.locator('.desk-changes li').allInnerTexts()
  const sent = page.waitForRequest('**/api/desk/acts')
  await gift.getByRole('button', { name: 'Add or remove tokens' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ isPreview: false, shown: changes })
  await page.getByText('adjustment of 5,000 tokens').waitFor()
  // The plan's entries are below its head, and the gift is not among them.
  const plan = page.getByRole('listitem').filter({ has: page.getByText('pro · $35.00') })
  await plan.getByText('grant of 1,000,000 tokens').waitFor()
  await expect.poll(() => plan.getByText('adjustment of').count()).toBe(0)
  await plan.getByRole('button', { name: 'Refund' }).waitFor()

  // Another act takes the place of its button, and the keyboard goes on there.
  await page.getByRole('button', { name: 'Correct the address' }).click()
  const address = page.getByRole('dialog', { name: 'Correct the address' })
  await address.getByLabel('The right address').fill(`right.${member.email}`)
  await address.getByLabel('Reason').fill('A slip of the keyboard')
  await address.getByRole('button', { name: 'Preview changes' }).click()
  await address.getByText(`The right address: right.${member.email}`).waitFor()
  await address.getByRole('button', { name: 'Correct the address' }).click()
  await page.getByRole('button', { name: 'Undo the correction' }).waitFor()
  await page.locator('section:focus').filter({ hasText: 'Undo the correction' }).waitFor()

  await page.getByRole('button', { name: 'Suspend the account' }).click()
  const dialog = page.getByRole('dialog', { name: `Suspend the account: right.${member.email}` })
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await dialog.getByText('Say why').waitFor()
  await dialog.getByLabel('Reason').fill('Resells accounts')
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await dialog.getByText('Nobody can sign in to the account.').waitFor()
  await dialog.getByText('Reason: Resells accounts').waitFor()
  await dialog.locator('.desk-changes:focus').waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByLabel('Reason').fill('Resells its accounts')
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await dialog.getByRole('button', { name: 'Suspend the account' }).click()
  await page.getByText('suspend: Resells its accounts').waitFor()
  const strip = page.getByRole('region', { name: 'At a glance' })
  await strip.getByText('suspended').waitFor()
  await strip.getByText('Pro', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Acts', exact: true }).click()
  await page.getByText('grant of').first().waitFor({ state: 'detached' })
  expect(await page.locator('.timeline li').count()).toBe(3)
  expect(new URL(page.url()).searchParams.get('entries')).toBe('Acts')
  await page.setViewportSize({ width: 1280, height: 560 })
  await page.evaluate(() => {
    scrollTo(0, document.body.scrollHeight)
  })
  await expect
    .poll(async () => Math.round((await strip.boundingBox())?.y ?? 0), { message: 'it stays' })
    .toBe(64)
  expect((await member.call('/api/auth/me')).status).toBe(401)
})

test('an operator reads a hostile ticket and application as text, answers, notes and closes', async () => {
  const operator = await createOperator()
  const member = await createMember({ hasPlan: true })
  const ticketBody = { severity: 'high', isFeatureRequest: false, query: EVIL } as const
  const sent = await askGood(member, submitTicketEndpoint, {
    body: { email: member.email, ...ticketBody },
  })
  const example = ApplicationInput.parse(exampleOf(applyEndpoint).body)
  const applied = await askGood(member, applyEndpoint, {
    body: { ...example, fullName: EVIL.slice(0, 100), experience: EVIL, whyJoin: EVIL },
  })
  await askGood(operator, saveAnswerEndpoint, {
    body: { id: null, about: 'ticket', title: EVIL.slice(0, 100), text: EVIL },
  })

  const { page } = await openPage({ reducedMotion: 'reduce', mayComplain: REFUSED })
  await bringAxe(page)
  await signInBrowser(page, operator.bearer)
  await page.goto('/desk')
  await expectPath(page, '/desk')
  const isSafe = async () => {
    await page.getByText(EVIL).first().waitFor()
    await expect.poll(() => page.evaluate(() => 'wasRun' in window)).toBe(false)
  }
  const isAccessible = () => expect.poll(() => axeFindings(page, 'light')).toEqual([])

  await page.goto(`/desk?application=${applied.applicationNumber.slice(2)}`)
  await isSafe()
  await isAccessible()
  // Features of one page alone are opened there.
  await page.goto(`/desk?q=a-${applied.applicationNumber.slice(2)}`)
  await expect.poll(() => new URL(page.url()).searchParams.has('application')).toBe(true)
  await page.goto('/desk?show=answers')
  await isSafe()
  await isAccessible()
  await page.getByRole('button', { name: 'Edit or delete' }).first().click()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Title').and(page.locator(':focus')).waitFor()
  await page.goto('/desk?show=tickets&state=new')
  await isSafe()
  await isAccessible()
  await page.goto(`/desk?ticket=${sent.ticketNumber.slice(2)}`)
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await isSafe()

  await page.getByLabel('Add a saved answer').selectOption({ index: 1 })
  const answer = page.getByLabel('Your answer')
  await expect.poll(() => answer.inputValue()).toBe(EVIL)
  await answer.fill(`Hello,\n\nit works again. ${EVIL}`)
  await expect.poll(() => page.getByLabel('Set status to').inputValue()).toBe('answered')
  await page.getByRole('button', { name: 'Preview the email' }).click()
  await page.getByText(`To write back, reply to this email`).waitFor()
  await page.getByText(`To: ${member.email}`).waitFor()
  await isSafe()
  await isAccessible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await answer.and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Preview the email' }).click()
  await page.getByRole('button', { name: 'Send it' }).click()
  await page.getByText('Sent and logged.').waitFor()
  await page.locator('.thread').getByText('answer by').waitFor()
  await page.getByRole('button', { name: 'Answer or note' }).click()
  await page.getByRole('radio', { name: 'Note' }).check()
  await page.getByLabel('For colleagues').fill(EVIL)
  await noteOfColleague(operator, sent.ticketNumber)
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByText(INBOX.changed).waitFor()
  await page.getByText('I look into it').waitFor()
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect.poll(() => page.getByLabel('For colleagues').inputValue()).toBe('')
  await page.locator('.thread [data-kind=note]').getByText(EVIL).waitFor()
  await isSafe()
  await page.getByRole('radio', { name: 'Status only' }).check()
  await page.getByLabel('Set status to').selectOption('closed')
  await page.getByRole('button', { name: 'Set the status' }).click()
  await page.locator('.desk-badges').getByText('closed').waitFor()
  const mails = await mailsTo(member.email)
  expect(mails.filter(({ kind }) => kind === 'submission_answer')).toHaveLength(1)
})

/** Writes a note to a ticket, like a colleague who also has it open. */
async function noteOfColleague(operator: Member, ticketNumber: string) {
  const number = ticketNumber.slice(2)
  const { ticket, entries } = await askGood(operator, ticketEndpoint, { params: { number } })
  const seen = entries.at(-1)?.id ?? null
  const act = { kind: 'note', submissionId: ticket.id, seen, text: 'I look into it' } as const
  await askGood(operator, submissionActEndpoint, { body: { act, isPreview: false } })
}
