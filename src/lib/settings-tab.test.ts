import { expect, test } from 'vitest'
import { tabOf } from './settings-tab.ts'

test.each([
  ['', '', 'profile'],
  ['?tab=security', '', 'security'],
  ['', '#security', 'security'],
  ['?tab=preferences', '#security', 'preferences'],
  ['?tab=subscription', '#refund=pur_1.secret', 'subscription'],
  ['?tab=none', '#none', 'profile'],
])('the address %s%s opens the tab %s', (search, hash, tab) => {
  expect(tabOf({ search, hash })).toBe(tab)
})
