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
    ['Resume URL', 'https://example.test/cv.pdf'],
    ['Experience', 'Engines'],
    ['Why join?', 'Words'],
  ] as const)
    await form.getByLabel(label).fill(text)
  await form.getByLabel('Working country').selectOption('India')
  await form.getByLabel('Work authorization').selectOption('opt')
  await form.getByLabel('Remote preference').selectOption('hybrid')
  await form.getByRole('button', { name: 'Submit application' }).click()
  return { page, form }
}

test('on a phone the failure comes into view with the focus, and so does the success, which returns it when closed', async () => {
  const { page, form } = await openFilled({ status: 500, body: { success: false } }, 360)
  await expectFocus(form.getByRole('alert'))
  await page.unroute('**/api/careers/apply')
  await page.route('**/api/careers/apply', (route) =>
    route.fulfill({ json: { success: true, applicationNumber: 'A-7' } }),
  )
  await form.getByRole('button', { name: 'Submit application' }).click()
  await expectFocus(form.getByRole('status'))
  // The position behind the form does not offer "Apply Now" again.
  await expect.poll(() => page.locator('dialog[open] >> text="Apply Now"').isVisible()).toBe(false)
  await form.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()
  await expectFocus(page.getByRole('button', { name: 'Staff Software Engineer' }))
})

test('the summary of the errors that the server finds calls each field by the name on the form', async () => {
  const paths = ['fullName', 'linkedinUrl', 'githubUrl', 'resumeUrl', 'currentLocation', 'whyJoin']
  const errors = paths.map((path) => ({ path, msg: 'is not accepted' }))
  const refusal = {
    success: false,
    code: 'VALIDATION_FAILED',
    message: 'No',
    errors,
    requestId: 'r',
  }
  const { form } = await openFilled({ status: 400, body: refusal })
  const named = form.locator('li strong')
  await named.first().waitFor()
  const labels = (await form.locator('label').allInnerTexts()).map((text) => text.toLowerCase())
  const names = await named.allInnerTexts()
  expect(names).toHaveLength(paths.length)
  for (const name of names) {
    expect(
      labels.some((label) => label.startsWith(name.toLowerCase())),
      name,
    ).toBe(true)
  }
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
