import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { openPage } from '../harness/open-page.ts'
import { database } from '../harness/stored.ts'
import { personWithPlan } from './support/buyer.ts'
import { REFUSED } from './support/complaints.ts'
import { expectPath, registeredPerson, signIn, signInBrowser } from './support/person.ts'
import { useOverDays } from './support/usage.ts'

test('a part that crashes is replaced by a sentence, the rest stands, and it can be tried again', async () => {
  const { page } = await openPage({ mayComplain: /broken on purpose/ })
  const person = await personWithPlan()
  await useOverDays(person.userId, 2)
  await signInBrowser(page, person.token)
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype
    const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      configurable: true,
      get() {
        // Days of the chart are the only dates without a year.
        const isChart = Reflect.apply(resolvedOptions, this, []).year === undefined
        if (isChart && !('isMended' in window)) throw new Error('broken on purpose')
        return Reflect.apply(format?.get ?? (() => undefined), this, [])
      },
    })
  })
  await page.goto('/dashboard')
  await page.getByText('We could not show your usage. The rest of the page still works.').waitFor()
  await page.getByRole('link', { name: /^R-/ }).waitFor()
  await page.getByRole('heading', { name: 'Your plan' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Last 30 days' }).count()).toBe(0)
  await page.getByRole('button', { name: /Notifications/ }).click()
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate(() => {
    Object.assign(window, { isMended: true })
  })
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: 'Last 30 days' }).waitFor()
})

test.each([
  { end: 'expires', change: { expiresAt: Date.now() - 1_000 } },
  { end: 'is revoked', change: { endedAt: Date.now() - 1_000 } },
])(
  'a session that $end ends at /login, and signing in comes back to where one was',
  async ({ change }) => {
    const { page } = await openPage({ mayComplain: REFUSED })
    const person = await registeredPerson()
    await signInBrowser(page, person.token)
    await page.goto('/profile?tab=security')
    // All that the tab asks for has been answered: what ends the session is the press below.
    await page.getByText('This device').waitFor()
    await page.getByText('No sign-ins in the last 90 days.').waitFor()
    const db = database()
    await db.batch([db.update(sessions).set(change).where(eq(sessions.userId, person.userId))])
    await page.getByRole('button', { name: 'Export my data' }).click()
    await expectPath(page, '/login')
    await page.getByText('Your session has ended. Please sign in again.').waitFor()
    await signIn(page, person)
    await page.waitForURL('**/profile?tab=security')
    await page.getByRole('heading', { name: 'Change password' }).waitFor()
  },
)

test('a slow server shows progress after 400 ms, and not before', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await page.route('**/api/usage?*', async (route) => {
    await promise
    await route.continue()
  })
  await page.goto('/dashboard')
  const waiting = page.locator('.waiting', { hasText: 'Loading your usage…' })
  await waiting.waitFor()
  // The style, not the animation: on a busy machine that has long come to its end.
  const { delay, name, rest } = await waiting.evaluate((element) => {
    const { animationDelay, animationName, animationFillMode } = getComputedStyle(element)
    return { delay: animationDelay, name: animationName, rest: animationFillMode }
  })
  expect({ delay, name, rest }).toEqual({ delay: '0.4s', name: 'appear', rest: 'backwards' })
  resolve(undefined)
  await page.getByText('No tokens used yet').waitFor()
})

test('without JavaScript the pages of an account say what is missing, and lead on', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  for (const path of ['/login', '/register', '/dashboard', '/profile', '/device', '/receipt']) {
    await page.goto(path)
    const said = await page.locator('main').innerText()
    expect(said, path).toContain('This page needs JavaScript')
    expect(said, path).toContain('Please switch JavaScript on and reload')
    expect(await page.locator('main form').filter({ visible: true }).count(), path).toBe(0)
    const ways = await page.locator('main a').filter({ visible: true }).allInnerTexts()
    expect(ways, path).toEqual(['support@sotto.example', 'Home', 'Plans'])
  }
})
