import { expect, test } from 'vitest'
import { deskTitle } from './desk-title.ts'

test.each([
  ['', null],
  ['?q=ada', 'Find: ada'],
  ['?q=', null],
  ['?ticket=7', 'Ticket T-7'],
  ['?application=12', 'Application A-12'],
  ['?user=usr_1', 'Account usr_1'],
  ['?dispute=disp_1', 'Dispute disp_1'],
  ['?show=tickets&state=new', 'Tickets'],
  ['?show=answers', 'Saved answers'],
  ['?show=none', null],
])('the desk at %s is titled %s', (search, title) => {
  expect(deskTitle(search)).toBe(title)
})
