import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import type { Member } from '../../../tests/harness/member.ts'

/** Something that a user does on a page. */
export interface Act {
  path: string
  isSignedIn?: boolean
  /** Does it with a finger or with keys, and waits for what comes of it. */
  perform: (page: Page, person: Member) => Promise<void>
}

/** Nobody presses anything in the frame in which they scroll to it. */
const READING_MS = 1_000

async function readUpTo(place: Locator): Promise<void> {
  await place.scrollIntoViewIfNeeded()
  await pause(READING_MS)
}

/**
 * What most users do on the site, as far as we can tell, since nobody counts it: a visitor opens the menu, reads an answer and changes the
 * theme; a customer signs in and buys.
 */
export const ACTS: Record<string, Act> = {
  menu: {
    path: '/',
    perform: async (page) => {
      await page.getByRole('button', { name: 'Menu' }).tap()
      await page.getByRole('link', { name: 'Try for free' }).first().waitFor()
    },
  },
  question: {
    path: '/',
    perform: async (page) => {
      const question = page.locator('summary').first()
      await readUpTo(question)
      await question.tap()
      await page.locator('details[open] p').first().waitFor()
    },
  },
  theme: {
    path: '/',
    perform: async (page) => {
      // The list of a select belongs to the system; a key chooses without opening it.
      const choice = page.getByLabel('Theme')
      await readUpTo(choice)
      await choice.focus()
      await page.keyboard.press('d')
      await page.locator('[data-theme=dark]').waitFor({ state: 'attached' })
    },
  },
  'sign-in': {
    path: '/login',
    perform: async (page, { email, password }) => {
      await page.getByLabel('Email').tap()
      await page.keyboard.type(email)
      await page.getByLabel('Password', { exact: true }).tap()
      await page.keyboard.type(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).tap()
      await page.waitForURL('**/dashboard')
    },
  },
  buy: {
    path: '/subscription',
    isSignedIn: true,
    perform: async (page) => {
      await page.getByRole('button', { name: 'Buy Now' }).tap()
      await page.locator('iframe.razorpay-checkout-frame').waitFor()
    },
  },
}
