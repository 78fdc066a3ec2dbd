import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../edge-api/domain/context.ts'
import { toCustomerPage } from '../../edge-api/domain/desk/customer.ts'
import { customerStatements } from '../../edge-api/domain/desk/customer-rows.ts'
import { searchStatements, toFound } from '../../edge-api/domain/desk/find.ts'
import { alarmsQuery } from '../../edge-api/domain/desk/alarms.ts'
import { OpenRow, openThings, urgencyOf } from '../../edge-api/domain/desk/today.ts'
import { formatMoney } from '../../edge-api/domain/format-money.ts'
import { days, hours } from '../../edge-api/domain/time.ts'
import { DESK, type Found } from '../../src/contract/desk.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

/** `ops find`: the desk's search results, a line each. */
export async function findLines(ctx: Context, typed: string): Promise<string[]> {
  const found = await search(ctx, typed)
  if (found.length === 0) return [DESK.nothingFound]
  return found.map(({ kind, name, note, at, userId }) =>
    [kind.padEnd(11), name, note, minuteOf(at), userId ?? ''].filter(Boolean).join('  '),
  )
}

async function search(ctx: Context, typed: string): Promise<Found[]> {
  return toFound((await ctx.db.batch({ found: searchStatements(ctx, typed) })).found)
}

/**
 * `ops look`: the account that an id, an address or a number belongs to, with its timeline, newest first. Throws a
 * LaunchError when it belongs to none or to several.
 */
export async function lookLines(ctx: Context, typed: string): Promise<string[]> {
  const userId = await ownerOf(ctx, typed)
  const rows = await ctx.db.batch(customerStatements(ctx, userId))
  const { customer, timeline } = toCustomerPage(rows, ctx.now)
  const { used, total } = customer.tokens
  const states = [
    customer.isEmailVerified ? 'verified' : 'not verified',
    ...(customer.suspendedAt === null ? [] : [`suspended ${minuteOf(customer.suspendedAt)}`]),
    ...(customer.deletedAt === null ? [] : [`deleted ${minuteOf(customer.deletedAt)}`]),
  ]
  return [
    `${customer.id}  ${customer.email}  ${customer.username}  ${customer.name}`,
    `${states.join(', ')}; signs in by ${customer.waysIn.join(', ') || 'nothing yet'}`,
    `${used.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} tokens used, ${customer.sessions.length} open sessions`,
    ...customer.purchases.map(({ id, sku, status, amountMinor, currency, receiptNumber }) =>
      [id, sku, formatMoney(amountMinor, currency), status, receiptNumber ?? '']
        .join('  ')
        .trimEnd(),
    ),
    '',
    ...timeline.map(({ at, about, text, cause, isTrouble, mailId }) => {
      const notes = [cause === null ? '' : `by ${cause}`, mailId ?? ''].filter(Boolean).join(', ')
      const of = about === 'mail' ? 'mail ' : ''
      return `${minuteOf(at)} ${isTrouble ? '!' : ' '} ${of}${text}${notes === '' ? '' : ` (${notes})`}`
    }),
  ]
}

/** The account that something belongs to. Throws a LaunchError unless it is exactly one. */
export async function ownerOf(ctx: Context, typed: string): Promise<string> {
  const found = await search(ctx, typed)
  const exact = found.filter(({ name, userId }) => name === typed || userId === typed)
  const owners = [...new Set((exact.length > 0 ? exact : found).map(({ userId }) => userId))]
  const [owner = null, ...others] = owners
  if (owner === null) throw new LaunchError(`No account belongs to ${typed}.`)
  if (others.length === 0) return owner
  throw new LaunchError(`${typed} fits ${owners.length} accounts: ${owners.join(', ')}. Name one.`)
}

interface Waiting {
  what: string
  name: string
  tag: string
  who: string
  text: string
  /** Milliseconds UTC. */
  since: number
  until: number | null
}

export interface Stuck {
  lines: string[]
  /** Whether something has waited for longer than it may. */
  isOverdue: boolean
}

/** Things shown of one kind. */
const SHOWN = 20

/** `ops stuck`: alarms and everything that waits for a person or a job, the oldest first. */
export async function stuck(ctx: Context): Promise<Stuck> {
  const { alarms, open } = await ctx.db.batch({
    alarms: alarmsQuery(ctx),
    open: openThings(ctx).map((things) => ctx.db.all(sql`${things} LIMIT ${SHOWN + 1}`)),
  })
  const kinds = open.map((rows) => z.array(OpenRow).parse(rows))
  const raised = alarms.map(({ kind, firstSeenAt, count }) => ({
    what: 'alarm',
    name: kind,
    tag: count === 1 ? '' : `${count} times`,
    who: '',
    text: '',
    since: firstSeenAt,
    until: null,
  }))
  const things: Waiting[] = [...raised, ...kinds.flatMap((rows) => rows.slice(0, SHOWN))]
  const more = kinds.flatMap(([first, ...rows]) =>
    first === undefined || rows.length < SHOWN ? [] : [`There are more of: ${first.what}.`],
  )
  if (things.length === 0) return { lines: ['Nothing is waiting.'], isOverdue: false }
  const sorted = things.toSorted((one, other) => one.since - other.since)
  return {
    lines: [...sorted.map((thing) => lineOf(ctx, thing)), ...more],
    isOverdue: things.some((thing) => urgencyOf(ctx, thing) !== 'waits'),
  }
}

function lineOf(ctx: Context, thing: Waiting): string {
  const { what, name, tag, who, text, since, until } = thing
  const urgency = urgencyOf(ctx, thing)
  const isPassed = urgency === 'passed' ? ', which has passed' : ''
  const limit =
    until === null ? '' : `answer before ${minuteOf(new Date(until).toISOString())}${isPassed}`
  const words = [ageOf(ctx.now - since), what, name, tag, who, text, limit]
    .filter(Boolean)
    .join('  ')
  return `${urgency === 'waits' ? ' ' : '!'} ${words}`
}

function ageOf(ms: number): string {
  if (ms < hours(1)) return `${Math.floor(ms / 60_000)} min`.padStart(6)
  return (
    ms < days(2) ? `${Math.floor(ms / hours(1))} h` : `${Math.floor(ms / days(1))} d`
  ).padStart(6)
}

/** `2026-11-22 09:05` of ISO 8601. */
const minuteOf = (at: string) => at.slice(0, 16).replace('T', ' ')
