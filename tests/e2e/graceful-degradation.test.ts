import { expect, test } from 'vitest'
import { brand } from '../../site/brand.ts'
import { hold } from './support/hold.ts'
import { openPage, stopClock } from '../harness/open-page.ts'
import { BUY } from './support/checkout.ts'
import { FAILED } from './support/complaints.ts'
import { personWithPlan, registeredPerson, signInBrowser, useOverDays } from './support/person.ts'

test('a part that crashes is replaced by a sentence, and can be tried again', async () => {
  const { page } = await openPage({
    mayComplain: /broken on purpose/,
  })
  const person = await personWithPlan()
  await useOverDays(person.userId, 2)
  await signInBrowser(page, person.token)
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype
    const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      configurable: true,
      get() {
        // Only the days of the chart are dates without a year.
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
  await expect.poll(() => page.getByRole('heading', { name: 'Last 30 days' }).count()).toBe(0)
  await page.getByRole('button', { name: /Notifications/ }).click()
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate(() => {
    Object.assign(window, { isMended: true })
  })
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: 'Last 30 days' }).waitFor()
})

test('a part that cannot load leaves the rest of the dashboard working, and a slow one shows that it is loading only after 400 ms', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference', mayComplain: FAILED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.route('**/api/usage?*', (route) => route.fulfill({ status: 500, body: '' }))
  const release = await hold(page, '**/api/payment/purchases?*')
  await page.goto('/dashboard')
  const failed = page.getByText('We could not load your usage.')
  await failed.waitFor()
  const loading = page.locator('.loading', { hasText: 'Loading your purchases…' })
  await loading.waitFor()
  // The style and not the animation, which has long ended on a busy machine.
  const { delay, name, rest } = await loading.evaluate((element) => {
    const { animationDelay, animationName, animationFillMode } = getComputedStyle(element)
    return { delay: animationDelay, name: animationName, rest: animationFillMode }
  })
  expect({ delay, name, rest }).toEqual({ delay: '0.4s', name: 'appear', rest: 'backwards' })
  release()
  await page.getByText('No purchases yet').waitFor()
  await page.unroute('**/api/usage?*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await failed.waitFor({ state: 'detached' })
})

test('without a network the page says so, keeps the session and recovers by itself', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.route('**/api/{auth/me,subscription/plan-amounts*}', (route) => route.abort())
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'We cannot reach the server' }).waitFor()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
  await page.goto('/subscription')
  await page.getByRole('button', { name: BUY }).click()
  await page.getByText('We cannot reach the server. Check your connection').waitFor()
  await page.goto('/dashboard')
  await page.unrouteAll()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  // Its button does not wait for the next time that the page tries by itself.
  await page.route('**/api/auth/me', (route) => route.abort())
  await stopClock(page)
  await page.reload()
  await page.getByRole('heading', { name: 'We cannot reach the server' }).waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
})

test('without JavaScript account pages say what is missing and link to pages that work, and the landing page asks for nothing that needs it', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  for (const path of ['/login', '/profile']) {
    await page.goto(path)
    const said = await page.locator('main').innerText()
    expect(said, path).toContain('This page needs JavaScript')
    expect(said, path).toContain('Please turn JavaScript on and reload')
    await expect
      .poll(() => page.locator('main form').filter({ visible: true }).count(), { message: path })
      .toBe(0)
    const ways = await page.locator('main a').filter({ visible: true }).allInnerTexts()
    expect(ways, path).toEqual([brand.supportEmail, 'Home', 'Plans'])
  }
  await page.goto('/')
  const idle = page.locator('main').getByText(/Drag the handle|Pick what they say/)
  const slider = page.locator('main input[type=range]')
  expect(await idle.or(slider).filter({ visible: true }).count()).toBe(0)
})
