import { APPLICATION as AN_APPLICATION } from '#harness/application.ts'
import { expect, test } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { SECURITY_MAILS } from '../mailed-link/mailed-link.ts'
import { type MailKind, type MailPayload, renderMail } from './render.ts'

const sender = {
  brand,
  origin: 'https://sotto.example',
  adminOrigin: 'https://admin.sotto.example',
}
const { productName } = brand

function render<Kind extends MailKind>(kind: Kind, payload: MailPayload<Kind>) {
  return renderMail({ kind, payload: JSON.stringify(payload) }, sender)
}

const SCRIPT = '<script>alert("x")</script><img src=x onerror=\'y\'>'

const TICKET = {
  number: 7,
  email: 'ada@example.com',
  severity: 'medium',
  isFeatureRequest: false,
  query: SCRIPT,
} as const

const APPLICATION = { ...AN_APPLICATION, email: 'ada@example.com', whyJoin: 'The product.' }

const ABOUT = { item: 'Pro', purchaseId: 'pur_1' }
const usd = (amountMinor: number) => ({ amountMinor, currency: 'USD' })

/** A payload of every kind, and how its mail says the facts in it. */
const EXAMPLES: { [Kind in MailKind]: { payload: MailPayload<Kind>; says?: string } } = {
  verify_address: {
    payload: { secret: 'abc' },
    says: 'Verify email address:\nhttps://sotto.example/verify-email/abc',
  },
  download_link: { payload: {}, says: 'Download Sotto:\nhttps://sotto.example/download' },
  reset_password: {
    payload: { secret: 'abc' },
    says: 'Set a new password:\nhttps://sotto.example/reset-password/abc',
  },
  password_changed: {
    payload: { secret: 'abc' },
    says: 'This was not me:\nhttps://sotto.example/not-me/abc',
  },
  registration_attempt: { payload: {} },
  new_device: {
    payload: { device: 'Firefox on Windows', secret: 'abc' },
    says: 'sign-in to your account on a new kind of device or from a new network: Firefox on Windows.',
  },
  factor_changed: {
    payload: { change: 'A second step was added: passkey.', secret: 'abc' },
    says: 'A second step was added: passkey.',
  },
  mails_changed: { payload: { areRemindersOn: false, secret: 'abc' } },
  device_approved: {
    payload: { client: 'Sotto for Windows', device: 'Firefox on Linux', secret: 'abc' },
    says: 'that calls itself "Sotto for Windows" can now sign in to your account. Its code was confirmed on Firefox on Linux.',
  },
  google_connected: { payload: { isPasswordCleared: true, secret: 'abc' } },
  terms_changed: {
    payload: { from: Date.UTC(2027, 0, 2), changes: ['Packs last longer.'] },
    says: 'Packs last longer.',
  },
  account_deleted: { payload: {} },
  receipt: {
    payload: {
      number: 12,
      purchaseId: 'pur_1',
      item: '1,000,000 tokens',
      tokens: 1_000_000,
      total: usd(3_500),
    },
    says: `Receipt: R-000012\nItem: ${productName} 1,000,000 tokens\nTotal: USD 35.00\nSeller: ${brand.legalEntity}`,
  },
  refund: {
    payload: { item: 'Token pack', refunded: usd(1_005) },
    says: 'Item: Token pack\nRefund: USD 10.05',
  },
  refund_link: {
    payload: { secret: 'abc', purchaseId: 'pur_1', item: 'Pro', refund: usd(2_333) },
    says: 'Review the refund:\nhttps://sotto.example/profile?tab=subscription#refund=pur_1.abc',
  },
  refund_asked: {
    payload: {
      ...{ ...ABOUT, refund: usd(2_333), tokens: 666_667 },
      askedAt: Date.UTC(2026, 10, 22, 9, 5),
    },
    says: 'Refund: USD 23.33\nRequested: 22 November 2026, 09:05 UTC\nReference: pur_1',
  },
  payment_disputed: {
    payload: {
      ...{ ...ABOUT, receipt: null, disputed: usd(3500) },
      ...{ step: 'open', isPlan: true, left: 7 },
    },
    says: 'You have 7 tokens now.',
  },
  refund_failed: {
    payload: { ...ABOUT, receipt: { series: '26-27', number: 12 }, refund: usd(2_333) },
    says: 'Item: Pro\nRefund: USD 23.33\nReference: R/26-27/000012',
  },
  payment_in_review: {
    payload: { purchaseId: 'pur_1', item: 'Token pack', ordered: usd(3_500), paid: usd(100) },
    says: 'Item: Token pack\nOrdered: USD 35.00\nPaid: USD 1.00\nReference: pur_1',
  },
  payment_after_deletion: {
    payload: { paymentId: 'pay_1', item: 'Pro', paid: usd(3_500) },
    says: 'Item: Pro\nPaid: USD 35.00\nReference: pay_1',
  },
  dispute_for_team: {
    payload: {
      ...{ purchaseId: 'pur_1', paymentId: 'pay_1', disputeId: 'disp_1' },
      ...{ phase: 'chargeback', state: 'open', disputed: usd(3_500), paid: usd(3_500) },
      respondBy: Date.UTC(2026, 10, 29),
    },
    says: 'Dispute: disp_1\nDisputed: USD 35.00\nAnswer by: 29 November 2026, 00:00 UTC\nPurchase: pur_1\nPayment: pay_1\nPaid: USD 35.00\n\nCollect the evidence:\nhttps://admin.sotto.example/admin/disputes/disp_1',
  },
  plan_ending: {
    payload: { daysLeft: 14, endsAt: Date.UTC(2026, 11, 3, 19, 30) },
    // While the plan is active, no other can be bought.
    says: 'Your plan ends on 3 December 2026, 19:30 UTC. It was a one-time payment: nothing is charged automatically.\n\nUnused tokens stay in your account. Once the plan has ended, you can buy it again.\n\nSee your plan:\nhttps://sotto.example/profile?tab=subscription\n\nYou can turn these reminders off in your preferences: https://sotto.example/settings',
  },
  tokens_low: {
    payload: {},
    says: 'You can turn these reminders off in your preferences: https://sotto.example/settings',
  },
  ticket_received: {
    payload: { number: 7 },
    says: 'Your ticket number is T-7; we will reply to this address.',
  },
  submission_answer: {
    payload: { number: 7, about: 'ticket', text: 'Hello,\n\nthe tokens are there now.' },
    says: 'Hello,\n\nthe tokens are there now.\n\nThis answers your message T-7.',
  },
  ticket_for_team: {
    payload: TICKET,
    says: 'From: ada@example.com\nSeverity: medium\nKind: Question',
  },
  application_received: {
    payload: { number: 7, jobId: 'software-engineer-junior' },
    says: 'for "Software Engineer". Your application number is A-7.',
  },
  application_for_team: {
    payload: { number: 7, application: { ...APPLICATION, fullName: 'constructor' } },
    says: 'Why join:\n\nThe product.\n\njob: Software Engineer\nfull name: constructor\nemail: ada@example.com\nphone: 1\nresume url: https://example.test/cv\ncurrent location: London\nworking country: Other\nwork authorization: Another visa\nremote preference: Hybrid\n\n',
  },
  account_suspended: { payload: {} },
  address_corrected: { payload: { secret: 's3' }, says: '/verify-email/s3' },
  address_replaced: { payload: {} },
  address_restored: { payload: {} },
  suspension_lifted: { payload: {} },
  alarm_for_operator: {
    payload: {
      kind: 'job failed',
      fields: { job: SCRIPT, reason: null },
      count: 3,
      firstAt: Date.UTC(2026, 10, 22),
    },
    says: 'Raised: 3 times, first at 22 November 2026, 00:00 UTC\njob: <script>',
  },
  day_for_operator: {
    payload: {
      day: '2026-11-21',
      figures: [
        { currency: 'USD', sales: 3, soldMinor: 7_500, refundedMinor: 2_500 },
        { currency: 'INR', sales: 0, soldMinor: 0, refundedMinor: 0, lostMinor: 100 },
      ],
      oldest: [
        { what: 'open dispute', since: Date.UTC(2026, 10, 20), until: Date.UTC(2026, 10, 24) },
      ],
    },
    says: 'USD: 3 sold for USD 75.00, USD 25.00 refunded\nINR: 0 sold for INR 0.00, INR 0.00 refunded, INR 1.00 lost to banks\nopen dispute: since 20 November 2026, 00:00 UTC, answer by 24 November 2026, 00:00 UTC',
  },
  deployment_test: {
    payload: { commit: '1a2b3c4' },
    says: 'https://sotto.example runs 1a2b3c4 and can send email.',
  },
}

test.each(Object.entries(EXAMPLES))('a %s mail is made of its facts', (kind, example) => {
  const { payload, says = '' } = example
  const mail = renderMail({ kind, payload: JSON.stringify(payload) }, sender)
  expect(mail.subject).not.toBe('')
  expect(mail.text).toContain(says)
  expect(mail.text).toContain(`${productName}, ${brand.legalEntity}\n${brand.supportEmail}`)
  expect(mail.html).toMatch(/^<!doctype html><html lang="en">.*<\/html>$/s)
  expect(mail.subject + mail.text + mail.html).not.toMatch(/undefined|NaN|\[object/)
})

test.each(SECURITY_MAILS)('%s has a link that says "This was not me"', (kind) => {
  const { text } = render(kind, EXAMPLES[kind].payload)
  expect(text).toContain('This was not me:\nhttps://sotto.example/not-me/abc')
})

test('an answer to a mail about a message or an application goes where its answers are read', () => {
  expect(render('ticket_received', { number: 7 }).replyTo).toBe(brand.supportEmail)
  const application = { number: 7, jobId: 'software-engineer-junior' }
  expect(render('application_received', application).replyTo).toBe(brand.careersEmail)
  expect(render('ticket_for_team', TICKET).replyTo).toBe(TICKET.email)
  const ofTeam = render('application_for_team', { number: 7, application: APPLICATION })
  expect(ofTeam.replyTo).toBe(APPLICATION.email)
})

test('text of strangers is escaped in the HTML of a mail', () => {
  const { html } = render('ticket_for_team', TICKET)
  const application = { ...APPLICATION, fullName: SCRIPT }
  // The name is in its subject and in a row.
  for (const part of [html, render('application_for_team', { number: 7, application }).html]) {
    expect(part).not.toContain('<script')
    expect(part).not.toContain('<img')
  }
  expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;')
})

test('line breaks are removed from the subject of a mail', () => {
  const application = { ...APPLICATION, fullName: 'Ada\r\nBcc: everybody@example.com' }
  const { subject } = render('application_for_team', { number: 7, application })
  expect(subject).toBe('A-7: Software Engineer, Ada Bcc: everybody@example.com')
})

test('a link is in both parts, and a mail whose secret was wiped can still be read', () => {
  const url = 'https://sotto.example/reset-password/abc'
  const mail = render('reset_password', { secret: 'abc' })
  expect(mail.text).toContain(url)
  expect(mail.html).toContain(`href="${url}"`)
  const wiped = render('reset_password', { secret: null })
  expect(wiped.subject).toBe(mail.subject)
  expect(wiped.text).toContain('https://sotto.example/reset-password/(wiped)')
})

test.each([
  ['verify_address', '{}'],
  ['verify_address', 'no JSON'],
  ['a kind that does not exist', '{}'],
  ['constructor', '{}'],
])('a mail of kind %s with payload %s is rejected', (kind, payload) => {
  expect(() => renderMail({ kind, payload }, sender)).toThrow()
})

test('lines of an answer are lines in Outlook, too, which knows no white-space', () => {
  const text = 'Dear Ada,\r\nplease restart.\n\nYours'
  const { html } = render('submission_answer', { number: 7, about: 'ticket', text })
  expect(html).toContain('Dear Ada,<br>please restart.</p>')
  expect(html).not.toContain('white-space')
})

test('each mail of a program says so, and reminders how to do without them', () => {
  for (const [kind, { payload }] of Object.entries(EXAMPLES)) {
    const { headers } = renderMail({ kind, payload: JSON.stringify(payload) }, sender)
    const isReply = kind === 'ticket_received' || kind === 'application_received'
    const submitted = isReply ? 'auto-replied' : 'auto-generated'
    const isReminder = kind === 'plan_ending' || kind === 'tokens_low'
    expect(headers, kind).toEqual({
      ...(kind === 'submission_answer' ? {} : { 'Auto-Submitted': submitted }),
      ...(isReminder ? { 'List-Unsubscribe': '<https://sotto.example/settings>' } : {}),
    })
  }
})

test('the mail about a used recovery code says so in its subject', () => {
  const change = 'A recovery code was used. It no longer works.'
  expect(render('factor_changed', { change, secret: 'abc', isRecovery: true }).subject).toMatch(
    /^A recovery code was used/,
  )
})
