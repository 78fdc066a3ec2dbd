import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PUBLIC_PATHS, TEXT_PATHS } from './site/pages.ts'
import { problemsOf } from './support/faults.ts'

/** Opens questions, but no more than a page has: the API's description repeats one layout for each call. */
const openQuestions = (page: Page) =>
  page.evaluate(() => {
    for (const [nth, question] of document.querySelectorAll('details').entries()) {
      question.open = nth < 10
      if (nth >= 10) question.remove()
    }
  })

test('the public pages', async () => {
  const paths = [...PUBLIC_PATHS, '/api/docs']
  // The texts come from one template, and the privacy page has whatever has a colour of its own in the others.
  const texts = TEXT_PATHS.filter((path) => path !== '/privacy')
  const screens = paths.map((path) => {
    return { path, heading: /./, open: openQuestions, isLightOnly: texts.includes(path) }
  })
  expect(await problemsOf(screens)).toEqual([])
})
