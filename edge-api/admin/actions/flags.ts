import { eq, sql } from 'drizzle-orm'
import { ANNOUNCEMENT_MAX, ANNOUNCEMENT_SECONDS } from '../../../src/contract/announcement.ts'
import { text as textField } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { flags } from '../../db/schema/inbox.ts'
import type { Context } from '../../domain/context.ts'
import { inMinutes, minutes, seconds } from '../../domain/time.ts'
import { defineAction, inOneBatch, NO_NOTIFICATION, reject } from './action.ts'

type Flag = typeof flags.$inferSelect

/** The flags that were ever changed. */
export function flagsQuery({ db }: Context) {
  return db.select().from(flags)
}

/** An announcement that is shown: it has begun and not ended, by an admin or by itself. */
export function standing({ now }: Context, row: Flag | undefined): Flag | null {
  return row?.isOn === true && (row.until === null || row.until > now) ? row : null
}

/** An isolate keeps an announcement for ANNOUNCEMENT_SECONDS, and then a browser as long again. */
const EVERYONE = `Everyone sees it within ${(2 * seconds(ANNOUNCEMENT_SECONDS)) / minutes(1)} minutes.`

/** Tells everybody something, on every page, in place of what was announced before. */
const announce = defineAction({
  kind: 'announce',
  label: 'Announce',
  input: z.object({
    text: textField({ max: ANNOUNCEMENT_MAX, required: 'Write a message.' }),
    /** As `datetime-local` sends it, here in UTC. */
    until: z
      .union([z.literal(''), z.iso.datetime({ local: true })], 'Choose a day and a time, or none.')
      .default(''),
  }),
  fields: [
    {
      name: 'text',
      label: 'Message',
      hint: `On every page. At most ${ANNOUNCEMENT_MAX} characters.`,
    },
    { name: 'until', label: 'Until (UTC)', type: 'datetime-local', isOptional: true },
  ],
  plan: async (ctx, { text, until }) => {
    const endsAt = until === '' ? null : Date.parse(`${until}Z`)
    if (endsAt !== null && endsAt <= ctx.now) throw reject('Choose a later time, or none.')
    const before = await readFlag(ctx, 'announcement')
    const told = standing(ctx, before)
    const end = endsAt === null ? 'until it is ended here' : `until ${inMinutes(endsAt)} UTC`
    return {
      changes: [
        `Every page says "${text}" ${end}.`,
        ...(told === null ? [] : [`It no longer says "${told.text}".`]),
      ],
      notification: EVERYONE,
      ...setFlag(ctx, { name: 'announcement', before, isOn: true, text, until: endsAt }),
    }
  },
})

/** Takes the announcement from all pages. */
const endAnnouncement = defineAction({
  kind: 'end_announcement',
  label: 'End the announcement',
  input: z.object({}),
  plan: async (ctx) => {
    const before = await readFlag(ctx, 'announcement')
    const told = standing(ctx, before)
    if (told === null) throw reject('Nothing is announced.')
    return {
      changes: [`No page says "${told.text}" any more.`],
      notification: EVERYONE,
      ...setFlag(ctx, { name: 'announcement', before, ...OFF }),
    }
  },
})

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

/** Turns the trial or the sales on or off. */
const turnFlag = defineAction({
  kind: 'set_flag',
  label: 'Turn on or off',
  input: z.object({ flag: z.enum(['trial', 'sales']), to: z.enum(['on', 'off']) }),
  plan: async (ctx, { flag: name, to }) => {
    const before = await readFlag(ctx, name)
    const isOn = to === 'on'
    if ((before?.isOn ?? true) === isOn) throw reject(`It is ${to} already.`)
    return {
      changes: CHANGES[name][to],
      notification: NO_NOTIFICATION,
      ...setFlag(ctx, { name, before, ...OFF, isOn }),
    }
  },
})

/** What everybody sees or may do. */
export const FLAG_ACTIONS = [announce, endAnnouncement, turnFlag]

async function readFlag({ db }: Context, name: Flag['name']): Promise<Flag | undefined> {
  const [[row]] = await db.batch([db.select().from(flags).where(eq(flags.name, name))])
  return row
}

const OFF = { isOn: false, text: '', until: null }

interface Setting extends Pick<Flag, 'name' | 'isOn' | 'text' | 'until'> {
  /** The row that the admin saw. */
  before: { version: number } | undefined
}

/** The part of a plan that sets a flag, once, if nobody set it since the admin saw it. */
function setFlag(ctx: Context, { before, ...set }: Setting) {
  const version = sql`(SELECT s.version FROM ${flags} s WHERE s.name = ${set.name})`
  const row = { ...set, changedAt: ctx.now, version: (before?.version ?? 0) + 1 }
  const execute = inOneBatch(ctx, sql`${version} IS ${before?.version ?? null}`, (isWritten) => ({
    set: ctx.db.run(sql`${insertFrom(flags, row, sql`WHERE ${isWritten}`)}
      ON CONFLICT (name) DO UPDATE SET is_on = excluded.is_on, text = excluded.text,
        until = excluded.until, changed_at = excluded.changed_at, version = excluded.version`),
  }))
  return { subject: set.name, home: '/admin/flags', execute }
}
