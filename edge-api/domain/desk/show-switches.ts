import type { switchesEndpoint } from '../../../src/contract/desk-switches.ts'
import { switches } from '../../db/schema/inbox.ts'
import { accountQuery } from '../account/account-query.ts'
import { factorsQuery } from '../account/has-factor.ts'
import { requireOperator } from '../account/require-operator.ts'
import { toIsoOrNull } from '../time.ts'
import type { SessionVerb } from '../verb.ts'

/** How the switches stand. */
export const showSwitches: SessionVerb<typeof switchesEndpoint> = async (ctx, { claims }) => {
  const { accounts, factors, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
    rows: ctx.db.select().from(switches),
  })
  requireOperator(ctx, accounts, factors)
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
