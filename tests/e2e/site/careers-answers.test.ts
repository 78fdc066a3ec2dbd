import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'
import { expectFocus } from '../support/focus.ts'

/** Fills in the form and sets the server's answer to it. */
async function openFilled(answer: { status: number; body: object }, width = 1280) {
  const mayComplain = /the server responded with a status of [45]\d\d/
  const { page } = await openPage({
    reducedMotion: 'no-preference',
    width,
    height: 740,
    mayComplain,
  })
  await page.route('**/api/careers/apply', (route) =>
    route.fulfill({ status: answer.status, json: answer.body }),
  )
  await page.goto('/careers')
  await page.getByRole('button', { name: 'Staff Software Engineer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply Now' }).click()
  const form = page.getByRole('dialog', { name: 'Apply for Staff Software Engineer' })
  await form.waitFor()
  for (const [label, text] of [
    ['Full name', 'Ada Lovelace'],
    ['Email', 'ada@example.test'],
    ['Phone', '+44 20 1234'],
    ['Current location', 'London, United Kingdom'],
    ['Link to your resume', 'https://example.test/cv.pdf'],
    ['Your experience', 'Engines'],
    ['Why do you want to join?', 'Words'],
  ] as const)
    await form.getByLabel(label).fill(text)
  await form.getByLabel('Country you would work from').selectOption('India')
  await form.getByLabel('Work authorization').selectOption('opt')
  await form.getByLabel('Where you like to work').selectOption('hybrid')
  await form.getByRole('button', { name: 'Submit application' }).click()
  return { page, form }
}

const failure = { success: false, code: 'INVALID_INPUT', requestId: 'req_1' } as const

const colourOf = (page: Page, text: string) =>
  page.getByText(text).evaluate((element) => getComputedStyle(element).color)

test('errors from the server are listed in red under the names of their fields, and nothing typed is lost', async () => {
  const { page, form } = await openFilled({
    status: 400,
    body: {
      ...failure,
      message: 'Invalid input',
      errors: [
        { path: 'workAuthorization', msg: 'must be chosen from the list' },
        { path: 'email', msg: 'Email is required' },
      ],
    },
  })
  await form.getByText('Please fix the errors below and try again.').waitFor()
  await form.getByText('Please fix the following errors:').waitFor()
  expect(await form.locator('.notice li').allInnerTexts()).toEqual([
    'Work Authorization must be chosen from the list',
    'Email is required',
  ])
  await form.getByText('This must be chosen from the list').waitFor()
  expect(await form.getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  expect(await colourOf(page, 'Please fix the errors below')).not.toBe(
    await colourOf(page, 'Full name'),
  )
})

test('a message without field errors is shown unchanged', async () => {
  const { form } = await openFilled({
    status: 429,
    body: { ...failure, code: 'RATE_LIMITED', message: 'Too many applications. Try again soon.' },
  })
  await form.getByText('Too many applications. Try again soon.').waitFor()
})

test('on a telephone the failure comes into view with the focus, and so does the success, whose end returns it', async () => {
  const { page, form } = await openFilled({ status: 500, body: { success: false } }, 360)
  await expectFocus(form.getByRole('alert'))
  await page.unroute('**/api/careers/apply')
  await page.route('**/api/careers/apply', (route) =>
    route.fulfill({ json: { success: true, applicationNumber: 'A-7' } }),
  )
  await form.getByRole('button', { name: 'Submit application' }).click()
  await expectFocus(form.getByRole('status'))
  await form.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()
  await expectFocus(page.getByRole('button', { name: 'Staff Software Engineer' }))
})

test('at 400 % zoom a dialog keeps its height for its content', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference', width: 320, height: 256 })
  await page.goto('/careers')
  await page.getByRole('button', { name: 'Staff Software Engineer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Staff Software Engineer' })
  await dialog.waitFor()
  const stuck = await dialog.evaluate((element) =>
    [...element.querySelectorAll('.dialog-head, .dialog-actions')]
      .filter((part) => getComputedStyle(part).position === 'sticky')
      .map((part) => part.className),
  )
  expect(stuck).toEqual([])
})

test('a failure without a message gets the specified sentence', async () => {
  const { form } = await openFilled({ status: 500, body: { success: false } })
  await form.getByText('Failed to submit application. Please try again.').waitFor()
  expect(await form.getByRole('button', { name: 'Submit application' }).isEnabled()).toBe(true)
})
