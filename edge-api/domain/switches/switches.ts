import { and, eq, type SQL, sql } from 'drizzle-orm'
import { switches } from '../../db/schema/inbox.ts'
import type { Context } from '../context.ts'

export type SwitchName = (typeof switches.name.enumValues)[number]

/** In SQL, whether operators switched something off. For the statement that it forbids, so that it costs no round trip. */
export function isSwitchedOff(name: SwitchName): SQL<number> {
  return sql`EXISTS (SELECT 1 FROM ${switches} WHERE ${switches.name} = ${name} AND ${switches.isOn} = 0)`
}

/** A row when operators switched something off. For the batch of a verb that refuses then. */
export function switchedOffQuery({ db }: Context, name: SwitchName) {
  return db
    .select({ name: switches.name })
    .from(switches)
    .where(and(eq(switches.name, name), eq(switches.isOn, false)))
}

/** For the payload of a mail: whether the trial is on when the mail is written. */
export function trialFact() {
  return { hasTrial: sql`json(iif(${isSwitchedOff('trial')}, 'false', 'true'))` }
}
