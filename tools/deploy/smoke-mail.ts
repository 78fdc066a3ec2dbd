import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { openDatabase } from '../../edge-api/db/database.ts'
import { mails } from '../../edge-api/db/schema/records.ts'
import { Connections } from '../../edge-api/db/connections.ts'
import { enqueueMail } from '../../edge-api/domain/mail/outbox.ts'
import { idMaker } from '../../edge-api/domain/new-id.ts'
import type { DatabaseAddress } from '../services/migrate.ts'

const POLL_MS = 1_000

/**
 * Puts a mail into the site's outbox and waits until the site has sent it, which its scheduled job does every minute.
 * Returns what is wrong, as `smokeTest` does.
 *
 * @param mail who gets it, and the commit it names
 * @param patienceMs how long to wait
 */
export async function smokeMail(
  { url, authToken = '' }: DatabaseAddress,
  { to, commit }: { to: string; commit: string },
  patienceMs: number,
): Promise<string[]> {
  const db = openDatabase({ connections: new Connections({ url, authToken, clock: Date.now }) })
  const now = Date.now()
  const newId = idMaker(Date.now, (count) => crypto.getRandomValues(new Uint8Array(count)))
  const id = newId('mail')
  const mail = { kind: 'deployment_test', payload: { commit }, to, userId: null, id } as const
  await db.batch([enqueueMail({ db, newId, now }, mail)])
  do {
    await sleep(Math.min(POLL_MS, patienceMs))
    const [[row]] = await db.batch([db.select().from(mails).where(eq(mails.id, id))])
    if (row?.sentAt) return []
    if (row?.lastError) return [`the mail to ${to} was refused: ${row.lastError}`]
  } while (Date.now() < now + patienceMs)
  return [
    `no mail to ${to} was sent for ${Math.round(patienceMs / 1_000)} s: the scheduled job does not run, ` +
      'which takes up to 15 minutes after the first deployment of an environment; then deploy again',
  ]
}
