import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeAt } from '../harness/factors.ts'
import { createUser } from '../harness/user.ts'
import { openPage } from '../harness/open-page.ts'
import { unconfirm } from '../harness/stored.ts'
import { REJECTED } from './support/console-errors.ts'
import { expectPath, signIn, signInBrowser } from './support/user.ts'

/** Opens the second step of a new user's account, in a browser that has an authenticator. */
async function openFactors({ isConfirmed = true } = {}) {
  const user = await createUser()
  if (!isConfirmed) await unconfirm(user)
  const { page, context } = await openPage({ mayLog: REJECTED })
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await signInBrowser(page, user.bearer)
  await page.goto('/profile?tab=security')
  // Before React is there, the tabs are links that load the page anew.
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
  return { page, context, user }
}

/** Saves the recovery codes that are shown. Neither Esc nor a click outside discards them. */
async function takeCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await dialog.waitFor()
  // The list behind it is loaded again, and the button that opened it is gone.
  await page.getByText('10 left').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.mouse.click(2, 2)
  await expect.poll(() => dialog.locator('.dialog-close').isVisible()).toBe(false)
  await dialog.getByRole('listitem').nth(9).waitFor()
  const codes = await dialog.getByRole('listitem').allInnerTexts()
  // A toast waits, because on a phone it would cover the heading.
  expect(await page.locator('.toast').count()).toBe(0)
  await dialog.getByRole('button', { name: 'I saved them' }).click()
  await page.locator('.toast').waitFor()
  return codes
}

/** Signs out in this browser only. A page of the account would see that its token is gone and leave, so a file forgets it. */
async function openLogin(page: Page): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate(() => {
    localStorage.removeItem('token')
  })
  await page.goto('/login')
}

test('a passkey is added, signs in alone, and confirms who removes it', async () => {
  const { page, user } = await openFactors()
  for (const tab of ['Profile', 'Security']) {
    await page.locator('.tabs').getByRole('link', { name: tab }).click()
  }
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  // A step back does not lose what is shown once.
  await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Edit profile' }).waitFor()
  await page.goForward()
  expect(await takeCodes(page)).toHaveLength(10)
  await page.getByText(/^Passkey: /).waitFor()
  await page.getByText('10 left').waitFor()
  await openLogin(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expectPath(page, '/dashboard')
  // The browser offers the passkey at the field for the address; the simulated one is chosen at once.
  await openLogin(page)
  const email = page.getByLabel('Email')
  await expect.poll(() => email.getAttribute('autocomplete')).toBe('username webauthn')
  await email.focus()
  await expectPath(page, '/dashboard')

  await page.goto('/profile?tab=security')
  await page.getByRole('button', { name: /^Rename Passkey: / }).click()
  await page.getByLabel('Name', { exact: true }).fill('The blue key')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Passkey: The blue key', { exact: true }).waitFor()
  const passkey = page.getByRole('button', { name: 'Remove Passkey: The blue key' })
  await passkey.click()
  await unconfirm(user)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await passkey.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add a passkey' }).and(page.locator(':focus')).waitFor()
})

test('an authenticator app is set up after a confirmation; then signing in takes a recovery code', async () => {
  const { page, context, user } = await openFactors({ isConfirmed: false })
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  const secret = (await page.locator('.key-text').innerText()).replaceAll(/\s/g, '')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  // A selection that ends outside the dialog leaves it open.
  await page.locator('.key-text').hover()
  await page.mouse.down()
  await page.mouse.move(2, 2)
  await page.mouse.up()
  // The question before it was answered and gone when the setup opened.
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Set up' }).and(page.locator(':focus')).press('Enter')
  // What is scanned comes before the field.
  await page.locator('dialog h2:focus', { hasText: 'Set up an authenticator app' }).waitFor()
  const again = (await page.locator('.key-text').innerText()).replaceAll(/\s/g, '')
  await page.locator('[inputmode=numeric]').fill(codeAt(again, Date.now()))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a file' }).click()
  expect((await saved).suggestedFilename()).toBe('recovery-codes.txt')
  // On paper is nothing else.
  await page.evaluate(() => {
    window.print = () => document.body.classList.add('printed')
  })
  await page.getByRole('button', { name: 'Print' }).click()
  expect(await page.locator('body').getAttribute('class')).toContain('printed')
  await page.emulateMedia({ media: 'print' })
  const paper = (await page.locator('body').innerText()).split(/\s+/).filter(Boolean)
  expect(paper).toHaveLength(10)
  expect(await page.locator('.recovery-codes').innerText()).toBe(paper.join('\n'))
  await page.emulateMedia({ media: 'screen' })
  const [code = ''] = await takeCodes(page)
  // The button that opened the setup is gone.
  await page.locator('section:focus', { hasText: 'How you sign in' }).waitFor()

  await openLogin(page)
  await signIn(page, user)
  await page.getByLabel('Authenticator code').and(page.locator(':focus')).waitFor()
  await page.getByText(`One more step for ${user.email}: please confirm it’s you.`).waitFor()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await expectPath(page, '/profile')
  await page.getByText('You signed in with a recovery code, and 9 are left.').waitFor()
})
