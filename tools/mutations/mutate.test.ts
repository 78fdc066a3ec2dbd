import { expect, test } from 'vitest'
import { mutantOf } from './mutant.ts'
import { changesOfCode } from './mutate-code.ts'
import { changesOfSql } from './mutate-sql.ts'

function mutantsOf(source: string, changes: typeof changesOfSql) {
  return changes(source).map((change) => mutantOf('a file', source, change).text)
}

test('each part of a condition is left out', () => {
  expect(mutantsOf('SELECT a FROM t WHERE b = c AND d = e', changesOfSql)).toEqual([
    'SELECT a FROM t WHERE 1 AND d = e',
    'SELECT a FROM t WHERE b = c AND 1',
  ])
  expect(mutantsOf('DELETE FROM t WHERE (a = b OR c = d)', changesOfSql)).toEqual([
    'DELETE FROM t WHERE 1',
    'DELETE FROM t WHERE (0 OR c = d)',
    'DELETE FROM t WHERE (a = b OR 0)',
  ])
  expect(mutantsOf('CASE WHEN a = b THEN c END', changesOfSql)).toEqual([
    'CASE WHEN 1 THEN c END',
    'CASE WHEN 0 THEN c END',
  ])
})

test('a condition with a statement inside, a BETWEEN, or a join is left out as a whole and in parts', () => {
  expect(
    mutantsOf(
      'SELECT 1 FROM t JOIN u ON u.a = t.a WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.b)',
      changesOfSql,
    ),
  ).toEqual([
    'SELECT 1 FROM t JOIN u ON 1 WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.b)',
    'SELECT 1 FROM t JOIN u ON u.a = t.a WHERE 1',
    'SELECT 1 FROM t JOIN u ON u.a = t.a WHERE NOT EXISTS (SELECT 1 FROM v WHERE 1)',
  ])
  expect(mutantsOf('WHERE a BETWEEN b AND c AND d', changesOfSql)).toEqual([
    'WHERE 1 AND d',
    'WHERE a BETWEEN b AND c AND 1',
  ])
})

test('a join ends where the next begins, and what is true has no mutant', () => {
  expect(
    mutantsOf('FROM t JOIN u ON u.a = t.a LEFT JOIN v ON v.b = u.b WHERE true', changesOfSql),
  ).toEqual([
    'FROM t JOIN u ON 1 LEFT JOIN v ON v.b = u.b WHERE true',
    'FROM t JOIN u ON u.a = t.a LEFT JOIN v ON 1 WHERE true',
  ])
})

test('a condition ends where another part of a UNION begins', () => {
  expect(mutantsOf('SELECT a FROM t WHERE b UNION ALL SELECT c FROM u', changesOfSql)).toEqual([
    'SELECT a FROM t WHERE 1 UNION ALL SELECT c FROM u',
  ])
})

test('comparisons move by one, sums become differences, lists lose an entry', () => {
  expect(mutantsOf('SET a = b + min(c, -d)', changesOfSql)).toEqual([
    'SET a = b - min(c, -d)',
    'SET a = b + max(c, -d)',
    'SET a = b + min(c,  d)',
  ])
  expect(mutantsOf('HAVING a >= 3 LIMIT 1', changesOfSql)).toEqual([
    'HAVING a > 3 LIMIT 1',
    'HAVING a >= 4 LIMIT 1',
    'HAVING a >= 3 LIMIT 2',
  ])
  expect(mutantsOf("x IN ('a', 'b')", changesOfSql)).toEqual(["x IN ( 'b')", "x IN ('a')"])
})

test('the header of a trigger is no condition', () => {
  const trigger =
    'CREATE TRIGGER `t` BEFORE UPDATE OF `a` ON `b` WHEN NEW.`a` <> 0 BEGIN SELECT 1; END'
  expect(mutantsOf(trigger, changesOfSql)).toEqual([
    trigger.replace('NEW.`a` <> 0', '1'),
    trigger.replace('NEW.`a` <> 0', '0'),
    trigger.replace('<> 0', '<> 1'),
  ])
})

test('a trigger no longer refuses', () => {
  const trigger = "CREATE TRIGGER `t` BEFORE DELETE ON `b` BEGIN SELECT RAISE(ABORT, 'no'); END"
  expect(mutantsOf(trigger, changesOfSql)).toEqual([trigger.replace("RAISE(ABORT, 'no')", '1')])
})

test('code changes its conditions and operators, loses its statements, and its SQL changes as SQL', () => {
  const source = 'if (a === b) refuse(c)\nconst d = sql`WHERE e = ${f ?? g} AND h < 2`'
  expect(mutantsOf(source, changesOfCode)).toEqual([
    source.replace('a === b', 'true'),
    source.replace('a === b', 'false'),
    source.replace('===', '!=='),
    source.replace('refuse(c)', ';'),
    source.replace('e = ${f ?? g}', '1'),
    source.replace('h < 2', '1'),
    source.replace('<', '<='),
    source.replace('2', '3'),
  ])
})

test('types and settings stay as they are', () => {
  expect(mutantsOf('const PER_RUN = 40\ninterface A { b: 1 }', changesOfCode)).toEqual([])
})
