import { eq, sql } from 'drizzle-orm'
import { ANNOUNCEMENT_SECONDS } from '../../../src/contract/announcement.ts'
import type { switchesEndpoint } from '../../../src/contract/desk.ts'
import { SWITCH } from '../../../src/contract/desk-acts.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { switches } from '../../db/schema/inbox.ts'
import type { Context } from '../context.ts'
import type { SwitchName } from '../switches/switches.ts'
import { inMinutes, minutes, seconds, toIsoOrNull } from '../time.ts'
import type { OperatorHandler } from '../handler.ts'
import { type ActOf, inOneBatch, type PlannedAct, refuse } from './planned-act.ts'

/** What everybody sees or may do. */
export const SWITCHES = {
  announce: planAnnounce,
  end_announcement: planEndAnnouncement,
  switch: planSwitch,
}

/** The state of the switches. */
export const showSwitches: OperatorHandler<typeof switchesEndpoint> = async (ctx) => {
  const { rows } = await ctx.db.batch({
    rows: ctx.db.select().from(switches),
  })
  const of = (wanted: string) => rows.find(({ name }) => name === wanted)
  const told = standing(ctx, of('announcement'))
  return {
    success: true,
    announcement: told && {
      version: told.version,
      text: told.text,
      until: toIsoOrNull(told.until),
    },
    isTrialOn: of('trial')?.isOn ?? true,
    areSalesOn: of('sales')?.isOn ?? true,
  }
}

/** An announcement that is shown: it has begun and not ended, by an operator or by itself. */
function standing({ now }: Context, row: typeof switches.$inferSelect | undefined) {
  return row?.isOn === true && (row.until === null || row.until > now) ? row : null
}

/** An isolate keeps an announcement for ANNOUNCEMENT_SECONDS, and then a browser as long again. */
const SEEN_AFTER = `Everyone sees it within ${(2 * seconds(ANNOUNCEMENT_SECONDS)) / minutes(1)} minutes.`

/** Tells everybody something, on every page, in place of what was announced before. */
async function planAnnounce(ctx: Context, { text, until }: ActOf<'announce'>): Promise<PlannedAct> {
  const endsAt = until === null ? null : Date.parse(until)
  if (endsAt !== null && endsAt <= ctx.now) throw refuse(SWITCH.isPast)
  const before = await readSwitch(ctx, 'announcement')
  const told = standing(ctx, before)
  const end = endsAt === null ? 'until it is ended here' : `until ${inMinutes(endsAt)} UTC`
  return {
    changes: [
      `Every page says "${text}" ${end}.`,
      ...(told === null ? [] : [`It no longer says "${told.text}".`]),
      SEEN_AFTER,
    ],
    subject: 'announcement',
    carryOut: setSwitch(ctx, { name: 'announcement', before, isOn: true, text, until: endsAt }),
  }
}

/** Takes the announcement from all pages. */
async function planEndAnnouncement(ctx: Context): Promise<PlannedAct> {
  const before = await readSwitch(ctx, 'announcement')
  const told = standing(ctx, before)
  if (told === null) throw refuse(SWITCH.noAnnouncement)
  return {
    changes: [`No page says "${told.text}" any more.`, SEEN_AFTER],
    subject: 'announcement',
    carryOut: setSwitch(ctx, { name: 'announcement', before, ...OFF }),
  }
}

const CHANGES = {
  sales: {
    on: ['Purchases can be started again.'],
    off: [
      'Nobody can start a purchase: the checkout says that purchases are paused and nothing was charged.',
      'Existing orders and payment links can still be paid. Webhooks and jobs keep settling what is paid.',
    ],
  },
  trial: {
    on: [
      'Whoever verifies an address gets tokens to try the app. Whoever verified one in the meantime gets them by opening the link in the email again or signing in with Google again.',
    ],
    off: [
      'Whoever verifies an address gets no tokens to try the app, and the email with the link does not promise any.',
      'The pages still mention the trial: announce that it is paused.',
    ],
  },
} as const

/** Switches the trial or the sales on or off. */
async function planSwitch(ctx: Context, { name, isOn }: ActOf<'switch'>): Promise<PlannedAct> {
  const before = await readSwitch(ctx, name)
  if ((before?.isOn ?? true) === isOn) throw refuse(SWITCH.unchanged)
  return {
    changes: [...CHANGES[name][isOn ? 'on' : 'off']],
    subject: name,
    carryOut: setSwitch(ctx, { name, before, ...OFF, isOn }),
  }
}

async function readSwitch({ db }: Context, name: SwitchName) {
  const { rows } = await db.batch({
    rows: db.select().from(switches).where(eq(switches.name, name)),
  })
  return rows[0]
}

const OFF = { isOn: false, text: '', until: null }

interface Setting extends Pick<typeof switches.$inferInsert, 'name' | 'isOn' | 'text' | 'until'> {
  /** The row that the operator saw. */
  before: { version: number } | undefined
}

/** Sets a switch, once, if nobody set it since the operator saw it. */
function setSwitch(ctx: Context, { before, ...set }: Setting): PlannedAct['carryOut'] {
  const version = sql`(SELECT s.version FROM ${switches} s WHERE s.name = ${set.name})`
  const row = { ...set, changedAt: ctx.now, version: (before?.version ?? 0) + 1 }
  return inOneBatch(ctx, sql`${version} IS ${before?.version ?? null}`, (isWritten) => ({
    set: ctx.db.run(sql`${insertFrom(switches, row, sql`WHERE ${isWritten}`)}
      ON CONFLICT (name) DO UPDATE SET is_on = excluded.is_on, text = excluded.text,
        until = excluded.until, changed_at = excluded.changed_at, version = excluded.version`),
  }))
}
