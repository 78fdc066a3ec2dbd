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

// developers.cloudflare.com/email-service/reference/headers: custom names that begin with `X-` are always accepted.
test('a mail sets no header that Cloudflare Email Service reserves', async () => {
  const sent: object[] = []
  const mailer = cloudflareMailer({
    send: ({ headers = {} }) => Promise.resolve(sent.push(headers)),
  })
  await mailer.send(MAIL)
  const [headers = {}] = sent
  expect(Object.keys(headers)).not.toEqual([])
  expect(Object.keys(headers).filter((name) => !/^X-[\w-]+$/.test(name))).toEqual([])
})
