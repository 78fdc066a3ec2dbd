import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { expectPath, registeredPerson, signIn } from './support/person.ts'

// Section 9 of the specification: what is counted on the landing page, and the systems of the app.

test('spec 9, landing: 6 clips, 6 rotating features, 9 feature cards', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  const count = (selector: string) => page.locator(selector).count()
  expect({
    clips: await count('.clip h2'),
    features: await count('feature-panel [data-scene]'),
    cards: await count('.nine > li'),
  }).toEqual({ clips: 6, features: 6, cards: 9 })
})

test('spec 9, platforms: macOS 10.15 or later, Windows 10/11', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  for (const path of ['/', '/download']) {
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    const cards = await page
      .locator('main')
      .getByText(/10\.15|10\/11/)
      .allInnerTexts()
    const said = cards.join('\n')
    expect(said, path).toContain('macOS 10.15 or later')
    expect(said, path).toContain('Windows 10/11')
  }
})

test('spec 9: the login token is kept in local storage under the key "token"', async () => {
  const { page } = await openPage()
  await page.goto('/login')
  await signIn(page, await registeredPerson())
  await expectPath(page, '/dashboard')
  const kept = await page.evaluate(() => Object.entries(localStorage))
  // A bearer token has three parts with dots between them.
  expect(kept.filter(([, value]) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value))).toEqual([
    ['token', expect.any(String)],
  ])
})
