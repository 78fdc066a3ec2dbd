import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { ledger } from '../../edge-api/db/schema/tokens.ts'
import { PendingAlerts, storeAlerts } from '../../edge-api/domain/alert/store-alerts.ts'
import { TRIAL_TOKENS } from '../../src/contract/answers.ts'
import { MAIN_PLAN } from '../../src/contract/catalogue.ts'
import { CAREERS } from '../../src/contract/messages.ts'
import { authorizeDeviceEndpoint } from '../../src/contract/device.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { askGood } from '../../tests/harness/ask.ts'
import { setUpPasskey, setUpTotp } from '../../tests/harness/factors.ts'
import { createUser, type TestUser } from '../../tests/harness/user.ts'
import { unconfirm } from '../../tests/harness/stored.ts'
import { newVisitor } from '../../tests/harness/visitor.ts'
import { createFixture } from '../../tests/harness/fixture/fixture.ts'
import { PUBLIC_PATHS } from '../../tests/e2e/site/pages.ts'
import {
  expectPath,
  mailedPath,
  payForPlan,
  type NewUser,
  userWithMail,
  registeredUser,
  resetPath,
  signIn,
  useOverDays,
} from '../../tests/e2e/support/user.ts'
import { fillApplication } from '../../tests/e2e/support/application.ts'
import { dispute, promiseViewers } from './promise-viewers.ts'
import {
  busyUser,
  BUYER_SCREENS,
  dashboard,
  dialog,
  GUEST_SCREENS,
  NEWCOMER_SCREENS,
  newPasswordScreen,
  openApplication,
  press,
  screen,
  verifyByKey,
  type Screen,
  type Viewer,
  subscription,
} from '../../tests/e2e/support/screens.ts'

/** Every kind of account with screens of its own, newly made, and those screens. */
export async function everyViewer(): Promise<Viewer[]> {
  const all = [guest, newcomer, trial, buyer, payer, spent, secured, unconfirmed, admin]
  const made = await Promise.all(all.map((make) => make()))
  const open: Viewer = { who: 'public', screens: PUBLIC_PATHS.map((path) => screen(path, /./)) }
  return [open, ...made, ...(await promiseViewers())]
}

const stay = press('Stay here')

const connectApp = async (page: Page) => {
  await press(/^Connect$/)(page)
  await page.getByRole('heading', { name: / is connected$/ }).waitFor()
}

async function guest(): Promise<Viewer> {
  const [user, forgetful, withApp, mailed] = await Promise.all([
    registeredUser(),
    registeredUser(),
    createUser(),
    userWithMail(),
  ])
  const ctx = createFixture().ctx()
  await setUpTotp(ctx, withApp)
  const screens: Screen[] = [
    ...GUEST_SCREENS,
    newPasswordScreen(await resetPath(user.email)),
    screen('/login', 'Sign in', signInAs(withApp, 'Use a recovery code')),
    screen('/forgot-password', /Forgot your password/, async (page) => {
      await page.getByLabel('Email').fill(user.email)
      await page.locator('form button[type=submit]').click()
      await page.getByRole('heading', { name: 'Check Your Email' }).waitFor()
    }),
    screen('/contact', 'Contact Support', async (page) => {
      await page.getByLabel('Email').fill(user.email)
      await page.locator('textarea').fill('How do I move the overlay to my second screen?')
      await page.getByRole('button', { name: 'Submit ticket' }).click()
      await page.getByRole('heading', { name: /Thank You/ }).waitFor()
    }),
    screen(await mailedPath(mailed.email, 'verify-email'), 'Verify your email', async (page) => {
      await verifyByKey(page)
      await page.getByRole('heading', { name: /verified/i }).waitFor()
      await stay(page)
    }),
    screen('/careers?sent', 'Open Positions', async (page) => {
      await openApplication(page)
      await fillApplication(page)
      await press('Submit application')(page)
      await page.getByText(CAREERS.success).waitFor()
    }),
    screen(await resetPath(forgetful.email), 'Set a new password', async (page) => {
      for (const name of ['New password', 'Confirm password']) {
        await page.getByLabel(name, { exact: true }).fill('Quiet-line-2')
      }
      await press('Reset password')(page)
      await page.getByRole('heading', { name: 'Your new password is set' }).waitFor()
      await stay(page)
    }),
  ]
  return { who: 'guest', screens }
}

const signInAs = (user: NewUser, words: string) => async (page: Page) => {
  await signIn(page, user)
  await page.getByText(words).first().waitFor()
}

async function newcomer(): Promise<Viewer> {
  const { bearer } = await registeredUser()
  const app = newVisitor(inject('siteUrl'))
  const body = { client_name: 'Ada’s MacBook' }
  const asked = await askGood(app, authorizeDeviceEndpoint, { body })
  const screens: Screen[] = [
    ...NEWCOMER_SCREENS,
    subscription,
    screen('/profile?tab=security', 'Your data'),
    screen('/tokens', 'Your tokens'),
    screen('/receipt?id=x', 'This receipt cannot be shown'),
    screen(`/device?code=${asked.user_code}`, /^Connect Ada/, connectApp),
  ]
  return { who: 'newcomer', token: bearer, screens }
}

/** Adds an entry without a purchase to the ledger. */
async function enter(entry: { userId: string; kind: 'trial' | 'use'; tokens: number }) {
  const { db, now } = createFixture().ctx()
  const ref = `${entry.kind}:${entry.userId}${entry.kind === 'use' ? ':rest' : ''}`
  const row = { ...entry, ref, paymentMode: 'emulator' as const, createdAt: now }
  await db.batch([db.insert(ledger).values(row)])
}

async function trial(): Promise<Viewer> {
  const user = await createUser()
  await enter({ userId: user.userId, kind: 'trial', tokens: TRIAL_TOKENS })
  const app = setUp('Set up an authenticator app')
  return { who: 'trial', token: user.bearer, screens: [dashboard, app] }
}

async function buyer(): Promise<Viewer> {
  const { bearer } = await busyUser()
  return { who: 'buyer', token: bearer, screens: [...BUYER_SCREENS, subscription] }
}

/** Comes back from a payment. */
async function payer(): Promise<Viewer> {
  const user = await createUser()
  const { orderId, paymentId, signature } = await payForPlan(user)
  const query = new URLSearchParams({ order_id: orderId, payment_id: paymentId, signature })
  const bought = screen(`/subscription/success?${query.toString()}`, 'Payment Successful', stay)
  return { who: 'payer', token: user.bearer, screens: [bought] }
}

async function spent(): Promise<Viewer> {
  const user = await createUser({ hasPlan: true })
  const used = await useOverDays(user.userId, 30)
  const left = used.reduce((rest, tokens) => rest - tokens, MAIN_PLAN.tokens)
  await enter({ userId: user.userId, kind: 'use', tokens: -left })
  return { who: 'spent', token: user.bearer, screens: [dashboard] }
}

const showFactors = async (page: Page) => {
  await page.getByText('Recovery codes', { exact: true }).waitFor()
}

/** The dialog that opens when an authenticator app is to be set up. */
const setUp = (name: string) =>
  screen('/profile?tab=security', 'How you sign in', async (page) => {
    await showFactors(page)
    await dialog('Set up', name)(page)
  })

/** Has an authenticator app and a passkey. */
async function secured(): Promise<Viewer> {
  const user = await createUser()
  const ctx = createFixture().ctx()
  await setUpTotp(ctx, user)
  await setUpPasskey(ctx, user)
  const newCodes = async (page: Page) => {
    await showFactors(page)
    await dialog('Get new codes', 'Get new codes?')(page)
    const asked = page.getByRole('dialog', { name: 'Get new codes?' })
    await asked.getByRole('button', { name: 'Get new codes' }).click()
    await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor()
  }
  const screens = [showFactors, newCodes].map((open) =>
    screen('/profile?tab=security', 'How you sign in', open),
  )
  return { who: 'secured', token: user.bearer, screens }
}

/** Signed in some time ago, so that changes of the second step ask for a confirmation. */
async function unconfirmed(): Promise<Viewer> {
  const user = await createUser()
  await unconfirm(user)
  const asked = setUp('Please confirm it’s you')
  return { who: 'unconfirmed', token: user.bearer, screens: [asked] }
}

async function admin(): Promise<Viewer> {
  const customer = await busyUser()
  const { ticketNumber } = await complain(customer)
  const disputeId = await dispute(customer.userId)
  await raiseAlerts()
  const of = `user=${customer.userId}`
  const screens: Screen[] = [
    screen('/admin', 'Today'),
    screen('/admin/find?q=m_', /^Found for/),
    screen(`/admin/disputes/${disputeId}`, 'Since the day of the order'),
    screen(`/admin/customers/${customer.userId}`, 'Timeline'),
    screen(`/admin/submissions/${ticketNumber}`, ticketNumber),
    screen('/admin/submissions', 'Submissions: tickets, open'),
    screen('/admin/flags', 'Flags'),
    screen('/admin/log', 'Log'),
    screen(`/admin/actions/suspend?${of}`, 'What changes'),
    screen(`/admin/actions/adjust_tokens?${of}&tokens=five`, 'Add or remove tokens'),
  ]
  const enter = async (page: Page) => {
    await page.goto('/__local/access')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expectPath(page, '/admin')
  }
  return { who: 'admin', token: '', screens, enter }
}

async function raiseAlerts(): Promise<void> {
  const ctx = createFixture().ctx()
  const pending = new PendingAlerts()
  pending.add({ kind: 'job failed', fields: { job: 'deliverDueMail' }, at: ctx.now })
  pending.add({ kind: 'mail given up', fields: { mailId: 'mail_1' }, at: ctx.now })
  await storeAlerts(ctx, pending)
}

function complain(user: TestUser) {
  const query = 'The overlay stays on my first screen, and I share that one.'
  const body = { email: user.email, severity: 'high' as const, isFeatureRequest: false, query }
  return askGood(user, submitTicketEndpoint, { body })
}
