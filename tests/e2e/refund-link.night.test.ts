import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../edge-api/db/schema/users.ts'
import { openPage } from '../harness/open-page.ts'
import { database, unconfirm } from '../harness/stored.ts'
import { REFUSED } from './support/complaints.ts'
import { expectFocus } from './support/focus.ts'
import { expectPath, registeredPerson, signIn, signInBrowser } from './support/person.ts'

test('an account without a password confirms with the mailed link, also where it has to sign in first', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  const person = await registeredPerson({ hasPlan: true })
  const db = database()
  const [[stored]] = await db.batch([
    db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, person.userId)),
    db.run(sql`UPDATE users SET password_hash = '' WHERE id = ${person.userId}`),
  ])
  await unconfirm(person)
  await signInBrowser(page, person.bearer)
  await page.goto('/profile?tab=subscription')
  await page.getByRole('button', { name: 'Get a refund (withdraw from contract)' }).click()
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await expectFocus(page.getByText('We emailed you a link.'))
  const links = await mailedLinks(person.email)
  expect(links).toHaveLength(1)
  // The harness signs in with a password.
  await db.batch([
    db
      .update(users)
      .set({ ...stored })
      .where(eq(users.id, person.userId)),
  ])
  const { page: phone } = await openPage({ mayComplain: REFUSED })
  await phone.goto(new URL(links[0] ?? '').href.replace(/^https?:\/\/[^/]+/, ''))
  await expectPath(phone, '/login')
  await signIn(phone, person)
  await phone.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await phone.getByRole('dialog', { name: 'Refund requested' }).waitFor()
  await expect.poll(() => new URL(phone.url()).hash).toBe('')
})

async function mailedLinks(to: string): Promise<string[]> {
  const db = database()
  const [rows] = await db.batch([
    db.all<{ purchaseId: string; secret: string }>(sql`
      SELECT payload ->> 'purchaseId' AS purchaseId, payload ->> 'secret' AS secret
      FROM mails WHERE to_address = ${to} AND kind = 'refund_link'`),
  ])
  return rows.map(
    ({ purchaseId, secret }) =>
      `http://localhost/profile?tab=subscription#refund=${purchaseId}.${secret}`,
  )
}
