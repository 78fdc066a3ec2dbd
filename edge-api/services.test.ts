import { expect, test, vi } from 'vitest'
import { WHOLE_ENVIRONMENT } from '../tests/harness/whole-environment.ts'
import { readConfig } from './config.ts'
import { buildServices } from './services.ts'

const VISITOR = { address: '192.0.2.1', ipPrefix: '192.0.2.0/24', device: 'Firefox on Linux' }
const MAIL = { id: 'm1', from: 'a@b.test', to: 'c@d.test', subject: 's', text: 't', html: 'h' }

test.each([
  ['local', { isLocal: true, sent: 0 }],
  ['production', { isLocal: false, sent: 1 }],
  ['development', { isLocal: false, sent: 1 }],
  ['test', { isLocal: false, sent: 1 }],
  [undefined, { isLocal: false, sent: 1 }],
])('with ENVIRONMENT %s the mailbox is %j', async (ENVIRONMENT, { isLocal, sent }) => {
  const send = vi.fn(() => Promise.resolve())
  const env = { ...WHOLE_ENVIRONMENT, ENVIRONMENT, EMAIL: { send } }
  const { newContext } = buildServices(readConfig(env))
  const { ctx } = newContext({ visitor: VISITOR, now: 1_800_000_000_000 })
  await ctx.mailer.send(MAIL)
  expect({ isLocal: ctx.isLocal, sent: send.mock.calls.length }).toEqual({ isLocal, sent })
})
