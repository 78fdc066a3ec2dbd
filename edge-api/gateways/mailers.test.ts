import { expect, test } from 'vitest'
import { cloudflareMailer } from './mailers.ts'

const MAIL = {
  id: 'mail_1',
  from: 'Sotto <hello@sotto.example>',
  to: 'ada@example.test',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}

// developers.cloudflare.com/email-service/reference/headers: the names that are accepted.
test('a mail sets no header that Cloudflare Email Service reserves', async () => {
  const sent: object[] = []
  const mailer = cloudflareMailer({
    send: ({ headers = {} }) => Promise.resolve(sent.push(headers)),
  })
  const more = { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': '<https://a.example>' }
  await mailer.send({ ...MAIL, headers: more })
  const [headers = {}] = sent
  expect(headers).toMatchObject(more)
  expect(
    Object.keys(headers).filter(
      (name) => !/^(X-[\w-]+|Auto-Submitted|List-Unsubscribe)$/.test(name),
    ),
  ).toEqual([])
})
