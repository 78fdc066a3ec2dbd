import { test } from 'vitest'
import { createOperator } from '../harness/operator.ts'
import { ALL_PATHS, PUBLIC_PATHS, TEXT_PATHS } from './site/pages.ts'
import { personWithPlan } from './support/person.ts'
import {
  expectAppPages,
  expectGuestForms,
  expectPublicPages,
  GUEST_FORMS,
} from './support/weight.ts'

// What the HTML names, and a page of each kind in the browser: budgets.test.ts.
test('every public page stays within its budgets of bytes and requests', () => {
  // The landing page is measured on a phone, and one template makes the texts.
  const measured = ['/', ...TEXT_PATHS.slice(1)]
  return expectPublicPages(PUBLIC_PATHS.filter((path) => !measured.includes(path)))
})

test('all forms of guests load little script, after their paint, until somebody uses them', () =>
  expectGuestForms(GUEST_FORMS))

test('every page of the app loads what its HTML names and its tab, and asks for the session of a user once', async () => {
  await expectAppPages(['/reset-password/x', '/verify-email/x'])
  const rest = ['/profile?tab=subscription', '/profile?tab=security', '/subscription']
  const isAppPage = (path: string) => /dashboard|device|profile|tokens|receipt|success/.test(path)
  await expectAppPages([...ALL_PATHS.filter(isAppPage), ...rest], (await personWithPlan()).bearer)
  await expectAppPages(['/desk'], (await createOperator()).bearer)
})
