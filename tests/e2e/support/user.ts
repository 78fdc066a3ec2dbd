import { changeRows } from '../../harness/fixture/rows.ts'
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { ledger, usageSessions } from '../../../edge-api/db/schema/tokens.ts'
import { users } from '../../../edge-api/db/schema/users.ts'
import {
  forgotPasswordEndpoint,
  resendVerificationEndpoint,
} from '../../../src/contract/credential.ts'
import { createOrderEndpoint, verifyPaymentEndpoint } from '../../../src/contract/purchase.ts'
import { askGood } from '../../harness/ask.ts'
import type { Entitlement } from '../../harness/entitlement.ts'
import { createUser, type TestUser } from '../../harness/user.ts'
import { openPage, type PageOptions } from '../../harness/open-page.ts'
import { database, mailedSecret } from '../../harness/stored.ts'
import { newVisitor } from '../../harness/visitor.ts'
import { controlOf } from '../../harness/fixture/razorpay.ts'

export interface NewUser {
  username: string
  email: string
  password: string
}

/** A user with a name and an address that nobody else in this run has. */
export function newUser(): NewUser {
  const name = `p_${randomBytes(6).toString('hex')}`
  return { username: name, email: `${name}@example.test`, password: 'Quiet-line-1' }
}

/** A registered user who has not verified their address, created as database rows: without hashing and without a mail. */
export const registeredUser = (entitlement: Entitlement = {}) =>
  createUser({ isVerified: false, ...entitlement })

/** The same with a verification mail. */
export async function userWithMail() {
  const user = await registeredUser()
  await askGood(user, resendVerificationEndpoint)
  return user
}

/** A user with an active Pro plan, created as database rows. */
export const userWithPlan = () => registeredUser({ hasPlan: true })

/** A user who bought Pro through the API and the emulator, so that the bell and a mail announce it. */
export async function userWhoPaid(currency: 'INR' | 'USD' = 'USD') {
  const user = await registeredUser()
  await askGood(user, verifyPaymentEndpoint, { body: await payForPlan(user, currency) })
  return user
}

/** Orders Pro and pays at the emulator; returns what the payment window hands to its page. */
export async function payForPlan(
  user: TestUser,
  preferredCurrency: 'INR' | 'USD' = 'USD',
  options: { outcome?: string } = {},
) {
  const body = { planType: 'pro', preferredCurrency }
  const { order } = await askGood(user, createOrderEndpoint, { body })
  return controlOf(inject('emulatorUrl')).pay(order.id, options)
}

/** The path of the newest link of this kind that was mailed to an address. */
export const mailedPath = async (to: string, page: 'reset-password' | 'verify-email') =>
  `/${page}/${await mailedSecret(to, page)}`

/** Requests a password reset and returns the path of its link. */
export async function resetPath(email: string): Promise<string> {
  await askGood(newVisitor(inject('siteUrl')), forgotPasswordEndpoint, { body: { email } })
  return mailedPath(email, 'reset-password')
}

const DAY_MS = 86_400_000

/** The account accepted old terms, and was notified of the current ones this many days ago. */
export async function announceTermsTo(userId: string, days: number): Promise<void> {
  const db = database()
  await changeRows(
    db,
    users,
    { termsVersion: '2020-01-01', termsAnnouncedAt: Date.now() - days * DAY_MS },
    eq(users.id, userId),
  )
}

/**
 * Stores usage entries and one usage session for each of the last `days`, as the desktop app reports them. Returns the
 * tokens used on each day, oldest first.
 */
export async function useOverDays(
  userId: string,
  days: number,
  databaseUrl?: string,
): Promise<number[]> {
  const db = database(databaseUrl)
  const used = Array.from({ length: days }, (_, day) => 1_000 + ((day * 7_919) % 20_000))
  const now = Date.now()
  const at = (day: number) => now - (days - 1 - day) * DAY_MS
  const sessionId = (day: number) => `s-${userId}-${day}`
  await db.batch([
    db.insert(ledger).values(
      used.map((tokens, day) => ({
        ref: `use:${userId}:${day}`,
        userId,
        kind: 'use' as const,
        tokens: -tokens,
        usageSessionId: sessionId(day),
        usageMode: 'meeting',
        paymentMode: 'emulator' as const,
        createdAt: at(day),
      })),
    ),
    db.insert(usageSessions).values(
      used.map((_, day) => ({
        userId,
        sessionId: sessionId(day),
        mode: 'meeting' as const,
        startedAt: at(day),
        endedAt: at(day) + 60_000,
        hasSucceeded: day % 4 !== 0,
        secondsSaved: 900,
      })),
    ),
  ])
  return used
}

/** Signs a page in with this bearer token, before the page is opened. */
export async function signInBrowser(page: Page, token: string): Promise<void> {
  await page.addInitScript((value) => {
    if (sessionStorage.getItem('was-given') !== null) return
    sessionStorage.setItem('was-given', 'yes')
    localStorage.setItem('token', value)
  }, token)
}

/** Opens a page of this path in a fresh window that is signed in with this bearer token. */
export async function openAs(token: string, path: string, options: PageOptions = {}) {
  const opened = await openPage(options)
  await signInBrowser(opened.page, token)
  await opened.page.goto(path)
  return opened
}

/** Fills in the form of /register. */
export async function fillRegistration(page: Page, user: NewUser): Promise<void> {
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(user.password)
}

/** Fills in and submits the form of /login. */
export async function signIn(page: Page, user: NewUser): Promise<void> {
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Waits until the page has this path and has loaded. It polls the path, because another navigation may overtake one. */
export async function expectPath(page: Page, path: string): Promise<void> {
  await expect.poll(() => new URL(page.url()).pathname).toBe(path)
  await page.waitForLoadState()
}
