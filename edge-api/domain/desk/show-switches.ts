import type { switchesEndpoint } from '../../../src/contract/desk-switches.ts'
import { switches } from '../../db/schema/inbox.ts'
import { toIsoOrNull } from '../time.ts'
import type { OperatorVerb } from '../verb.ts'

/** How the switches stand. */
export const showSwitches: OperatorVerb<typeof switchesEndpoint> = async (ctx) => {
  const { rows } = await ctx.db.batch({
    rows: ctx.db.select().from(switches),
  })
  const of = (wanted: string) => rows.find(({ name }) => name === wanted)
  const told = of('announcement')
  const isTold = told?.isOn === true && (told.until === null || told.until > ctx.now)
  return {
    success: true,
    announcement: isTold
      ? { version: told.version, text: told.text, until: toIsoOrNull(told.until) }
      : null,
    isTrialOn: of('trial')?.isOn ?? true,
    areSalesOn: of('sales')?.isOn ?? true,
  }
}
