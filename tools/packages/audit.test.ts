import { expect, test } from 'vitest'
import { judgeAudit } from './audit.ts'

const report = (vulnerabilities: Record<string, unknown>) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities })

test('a vulnerable package is named with its advisory', () => {
  const advisory = { title: 'Prototype pollution', url: 'https://github.com/advisories/GHSA-x' }
  const found = report({
    evil: { severity: 'high', range: '<2.0.0', via: [advisory] },
    user: { severity: 'high', range: '*', via: ['evil'] },
  })
  expect(() => judgeAudit(found, '')).toThrow(
    'Known vulnerabilities, update these packages:\n  evil <2.0.0 (high): Prototype pollution, https://github.com/advisories/GHSA-x',
  )
})

test('without a known vulnerability it says so', () => {
  expect(judgeAudit(report({}), '')).toBe('No known vulnerabilities.')
})

test.each([
  [JSON.stringify({ message: '405 Method Not Allowed', error: {} }), ''],
  ['', '405 Method Not Allowed\nA complete log of this run'],
])('where the advisories do not answer it says that nothing was checked', (output, errors) => {
  expect(judgeAudit(output, errors)).toContain(
    'NOT CHECKED: the advisories cannot be reached (405 Method Not Allowed).',
  )
})
