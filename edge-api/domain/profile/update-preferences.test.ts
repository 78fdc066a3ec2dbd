import { rowsOf } from '#harness/fixture/rows.ts'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { mails } from '../../db/schema/records.ts'
import { hours } from '../time.ts'
import { updatePreferences } from './update-profile.ts'

test('a change of the optional mails is mailed, once an hour, to a verified address', async () => {
  const fixture = await emptyFixture()
  const someone = (emailVerifiedAt: number | null) =>
    createAccount(fixture.ctx(), { emailVerifiedAt })
  const owner = await someone(fixture.now())
  const save = (claims: typeof owner, body: Parameters<typeof updatePreferences>[1]['body']) =>
    updatePreferences(fixture.ctx(), { ...callOf(claims), body })
  const sent = async ({ userId }: typeof owner) => {
    const isAbout = and(eq(mails.userId, userId), eq(mails.kind, 'mails_changed'))
    const rows = await rowsOf(fixture.ctx().db, mails, isAbout)
    return rows.map(({ payload }) => JSON.parse(payload))
  }
  await save(owner, { theme: 'dark', mailReminders: true })
  expect(await sent(owner)).toEqual([])
  await save(owner, { mailReminders: false })
  expect(await sent(owner)).toEqual([{ areRemindersOn: false, secret: expect.any(String) }])
  await save(owner, { mailReminders: true })
  await save(owner, { mailReminders: false })
  expect(await sent(owner)).toHaveLength(2)
  fixture.advance(hours(1))
  await save(owner, { mailReminders: true })
  expect(await sent(owner)).toHaveLength(3)
  const stranger = await someone(null)
  await save(stranger, { mailReminders: false })
  expect(await sent(stranger)).toEqual([])
})
