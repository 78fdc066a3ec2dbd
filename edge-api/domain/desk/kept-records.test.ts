import { sql, type SQL } from 'drizzle-orm'
import { test } from 'vitest'
import { openGuards, type Trial } from '../../../tests/harness/world/guards.ts'

test('what an operator did stays written down', async () => {
  const { tryAll } = await openGuards()
  const act = sql`
    INSERT INTO desk_acts (id, operator_id, kind, reason, changes, created_at)
    VALUES ('act_1', 'usr_1', 'adjust_tokens', 'a test', '{}', 1)`
  await tryAll([
    [
      'its reason',
      [act, sql`UPDATE desk_acts SET reason = 'x'`],
      'an act of an operator cannot be changed',
    ],
    ['all of it', [act, sql`DELETE FROM desk_acts`], 'an act of an operator cannot be deleted'],
  ])
})

test('an alarm grows until it is acknowledged, and then stays as it is', async () => {
  const { tryAll } = await openGuards()
  const alarm = sql`
    INSERT INTO alarms (id, kind, first_seen_at, last_seen_at, count, fields)
    VALUES ('alm_1', 'a kind', 5, 5, 5, '{}')`
  const set = (change: SQL) => sql`UPDATE alarms SET ${change}`
  const acknowledge = set(sql`acknowledged_at = 9, acknowledged_by = 'usr_1'`)
  const refusal = 'an alarm cannot be changed'
  const changes: readonly [string, SQL, string | null][] = [
    ['its id', sql`id = 'alm_2'`, refusal],
    ['its kind', sql`kind = 'another'`, refusal],
    ['when it was first seen', sql`first_seen_at = 4`, refusal],
    ['to seen earlier', sql`last_seen_at = 4`, refusal],
    ['to seen less often', sql`count = 4`, refusal],
    ['to acknowledged by nobody', sql`acknowledged_at = 9`, refusal],
    ['to acknowledged at no time', sql`acknowledged_by = 'usr_1'`, refusal],
    ['what it says', sql`fields = '{"a":1}'`, null],
    ['to seen again', sql`last_seen_at = 6, count = 6`, null],
  ]
  await tryAll([
    ...changes.map(([what, change, says]): Trial => [what, [alarm, set(change)], says]),
    ['to acknowledged', [alarm, acknowledge], null],
    ['after it was acknowledged', [alarm, acknowledge, set(sql`count = 6`)], refusal],
    ['all of it', [alarm, sql`DELETE FROM alarms`], 'an alarm cannot be deleted'],
  ])
})
