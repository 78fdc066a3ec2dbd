import { type Column, sql } from 'drizzle-orm'
import { check, customType, integer } from 'drizzle-orm/sqlite-core'

// Names of the database that are older than those of the code: owed_refunds (`pendingRefunds`), its before (`deducted`), told_at
// and end_told_at (`notifiedAt`, `endNotifiedAt`); proven_at of purchases (`verifiedAt`); rank of payments (`status`);
// sign_in_passes (`signInTickets`), its pass_hash (`ticketHash`); terms_told_version, terms_told_at and is_password_proven of users
// (`termsAnnouncedVersion`, `termsAnnouncedAt`, `isPasswordVerified`); desk_acts (`adminLog`), its operator_id (`admin`); alarms
// (`alerts`); switches (`flags`). triggers.sql, beside this file, shows the triggers.

/** An instant: milliseconds since 1970 UTC. One encoding for the whole database. */
export const instant = (name: string) => integer(name)

/** A boolean, stored as 1 or 0. */
export const flag = (name: string) => integer(name, { mode: 'boolean' })

/** A constraint that these columns hold whole numbers: SQLite stores 0.5 in an integer column without complaint. */
export const wholeNumbers = (name: string, ...columns: Column[]) =>
  check(
    name,
    sql.join(
      columns.map((column) => sql`typeof(${column}) = 'integer'`),
      sql` AND `,
    ),
  )

const PAYMENT_STATUSES = ['created', 'failed', 'authorized', 'captured'] as const
type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** The status of a payment, stored as its place in this order: created 0, failed 1, authorized 2, captured 3. */
export const paymentStatus = customType<{ data: PaymentStatus; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (status) => PAYMENT_STATUSES.indexOf(status),
  fromDriver: (place) => {
    const status = PAYMENT_STATUSES[place]
    if (status === undefined) throw new Error(`there is no payment status ${place}`)
    return status
  },
})
