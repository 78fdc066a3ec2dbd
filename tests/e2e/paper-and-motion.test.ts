import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { personWithPlan } from './support/buyer.ts'
import { expectPath, signInBrowser } from './support/person.ts'
import { useOverDays } from './support/usage.ts'

test('a receipt is printed on one page, without bar, footer and buttons', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /^R-/ }).click()
  await page.getByRole('heading', { name: /^Receipt R-/ }).waitFor()
  const paper = await page.pdf({ format: 'A4' })
  expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  await page.emulateMedia({ media: 'print' })
  const shown = await page.locator('body').innerText()
  expect(shown).toContain('$35.00')
  for (const word of ['Dashboard', 'Careers', 'Print', 'Skip to content']) {
    expect(shown).not.toContain(word)
  }
})

test('going from page to page is one transition in which the bar stands still', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  await signInBrowser(page, (await personWithPlan()).token)
  await page.addInitScript(() => {
    addEventListener('pagereveal', ({ viewTransition }) => {
      void viewTransition?.ready.then(() => {
        const names = document
          .getAnimations()
          .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.pseudoElement : null))
        Object.assign(window, { transitioned: names })
      })
    })
  })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Profile', exact: true }).first().click()
  await expectPath(page, '/profile')
  const transitioned = () => page.evaluate(() => Reflect.get(window, 'transitioned'))
  await expect.poll(transitioned).toContain('::view-transition-group(account-bar)')
})

test('a chart of many days: thirty bars, the same as a table, older days left out', async () => {
  const { page } = await openPage()
  const person = await personWithPlan()
  const used = await useOverDays(person.userId, 40)
  await signInBrowser(page, person.token)
  await page.goto('/dashboard')
  const shown = used.slice(-30)
  const sum = shown.reduce((total, tokens) => total + tokens, 0)
  await page.getByText(`${sum.toLocaleString('en-US')} tokens used`).waitFor()
  const bars = page.getByRole('img', { name: /Tokens used per day, from .* to / }).locator('rect')
  expect(await bars.count()).toBe(30)
  await page.getByText('Show as a table').click()
  const cells = await page.locator('.chart-table td:last-child').allInnerTexts()
  expect(cells).toEqual(shown.toReversed().map((tokens) => tokens.toLocaleString('en-US')))
  const all = used.reduce((total, tokens) => total + tokens, 0)
  await page.getByText(`${all.toLocaleString('en-US')} / 1,000,000`).waitFor()
  const main = await page.locator('main').innerText()
  expect(main).toMatch(/Sessions Completed\s+40/)
  expect(main).toMatch(/Success Rate\s+75%/)
  expect(main).toMatch(/Time Saved\s+10h/)
})
