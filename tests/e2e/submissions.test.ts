import { expect, test } from 'vitest'
import { FIELD } from '../../src/contract/field-messages.ts'
import { CAREERS, TOAST } from '../../src/contract/messages.ts'
import { openPage } from '../harness/open-page.ts'
import { fillApplication, openForm } from './support/application.ts'
import { FAILED } from './support/console-errors.ts'
import { UNUSUAL } from './support/unusual-viewers.ts'
import { expectFocus } from './support/focus.ts'

test('an application names what is missing beside its field alone, shows on a phone what failed and that it was sent, and Close returns the focus', async () => {
  const { page, form } = await openForm({
    reducedMotion: 'no-preference',
    width: 360,
    height: 740,
    mayLog: FAILED,
  })
  const send = form.getByRole('button', { name: 'Submit application' })
  await send.click()
  await expectFocus(form.getByLabel('Full name'))
  await form.locator('.field-error', { hasText: 'This is required' }).first().waitFor()
  expect(await form.getByRole('alert').count()).toBe(0)
  await fillApplication(page)
  const failure = { status: 500, json: { success: false } }
  await page.route('**/api/careers/apply', (route) => route.fulfill(failure), { times: 1 })
  await send.click()
  await expectFocus(form.getByRole('alert'))
  await send.click()
  await page.getByText(CAREERS.success).waitFor()
  await expectFocus(form.getByRole('status'))
  // The position behind the form does not offer "Apply Now" again.
  await expect.poll(() => page.locator('dialog[open] >> text="Apply Now"').isVisible()).toBe(false)
  await form.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
  await expectFocus(page.getByRole('link', { name: 'Software Engineer', exact: true }))
})

test('reloading keeps the job open and what was typed, and Back closes it', async () => {
  const { page, form } = await openForm()
  const open = () => page.locator('dialog[open]').count()
  const unsent = () => page.evaluate(() => sessionStorage.getItem('unsent'))
  await fillApplication(page)
  await page.reload()
  await expect.poll(open).toBe(1)
  await page.getByRole('dialog').getByRole('button', { name: 'Apply Now', disabled: false }).click()
  await expect.poll(() => form.getByLabel('Why join?').inputValue()).toBe('Words')
  expect(await form.getByLabel('Remote preference').inputValue()).toBe('hybrid')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(open).toBe(0)
  await page.getByRole('link', { name: 'Software Engineer', exact: true }).click()
  await expect.poll(open).toBe(1)
  expect(await unsent()).toBeNull()
  // At 400 % zoom the dialog keeps its height for its content.
  await page.setViewportSize({ width: 320, height: 256 })
  const positions = await page
    .locator('dialog[open] :is(.dialog-head, .dialog-actions)')
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).position))
  expect(positions.length).toBeGreaterThan(0)
  expect(positions).not.toContain('sticky')
  // On paper the position stands in full and alone.
  await page.emulateMedia({ media: 'print' })
  const isWhole = await page
    .locator('dialog[open]')
    .evaluate((one) => one.clientHeight > innerHeight)
  expect(isWhole).toBe(true)
  expect(await page.getByRole('heading', { name: 'How we work' }).isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })
  const shared = page.url()
  await page.goBack()
  await expect.poll(open).toBe(0)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/careers')
  // Somebody who got the link sees the job, and stays on the page after closing it.
  await page.goto('/about')
  await page.goto(shared)
  await expect.poll(open).toBe(1)
  await page.getByRole('button', { name: 'Close' }).last().click()
  await expect.poll(open).toBe(0)
  await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/careers')
  // Who opens a page anew may be another guest, and sees nothing of what was typed.
  await page.goto('/contact')
  const query = page.locator('form:not([data-prebuilt])').getByLabel('How can we help?')
  await query.fill('Words')
  await expect.poll(unsent).toContain('Words')
  await page.reload()
  await expect.poll(() => query.inputValue()).toBe('Words')
  await page.goto('/careers')
  await page.goto('/contact')
  await expect.poll(unsent).toBeNull()
  expect(await query.inputValue()).toBe('')
})

test.each(UNUSUAL)(
  '%s, a ticket names what is missing, is sent, and can be followed by another',
  async (_who, options) => {
    const { page } = await openPage(options)
    await page.goto('/contact')
    await page.getByRole('button', { name: 'Submit ticket' }).click()
    await page.locator('.toast', { hasText: FIELD.fillRequired }).waitFor()
    await expect.poll(() => page.getByLabel('Severity').inputValue()).toBe('medium')
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByLabel('How can we help?').fill('It is too quiet.')
    await page.getByText('16/1000 characters').waitFor()
    await page.getByLabel('This is a feature request').check()
    await page.getByRole('button', { name: 'Submit ticket' }).click()
    await Promise.all([
      page.getByRole('heading', { name: 'Thank You' }).waitFor(),
      page.getByText(TOAST.ticketSent).waitFor(),
    ])
    await page.getByRole('button', { name: 'Submit Another Ticket' }).click()
    await expectFocus(page.getByLabel('How can we help?'))
    await expect.poll(() => page.getByLabel('How can we help?').inputValue()).toBe('')
  },
)
