import { expect, test } from 'vitest'
import { countTests, namedFiles, tiersOf } from './run-tests.ts'

const results = (...files: [string, ...string[]][]) =>
  files.map(([status, ...tests]) => ({
    status,
    assertionResults: tests.map((one) => ({ status: one })),
  }))

test('passed and failed tests are summed', () => {
  const testResults = results(['passed', 'passed', 'passed'], ['failed', 'failed', 'passed'])
  const report = { numPassedTests: 3, numFailedTests: 1, testResults }
  expect(countTests(report)).toEqual({ passed: 3, failed: 1 })
})

test('a file that did not load counts as one failure', () => {
  const report = { numPassedTests: 1, numFailedTests: 0, testResults: results(['failed']) }
  expect(countTests(report)).toEqual({ passed: 1, failed: 1 })
})

test('no report is no tests', () => {
  expect(countTests({})).toEqual({ passed: 0, failed: 0 })
})

test('words before the first option name files', () => {
  expect(namedFiles(['login', 'plans', '-t', 'Google'])).toEqual(['login', 'plans'])
  expect(namedFiles(['login'])).toEqual(['login'])
})

test('a word that no test file has in its path ends the run, though another word has files', () => {
  expect(tiersOf(['run-tests'])).toEqual(['tools'])
  expect(() => tiersOf(['run-tests', 'no-such-file'])).toThrow(
    'No test file has no-such-file in its path.',
  )
  expect(tiersOf(['run-tests', 'config'], ['tools', 'domain'])).toEqual(['tools', 'domain'])
  expect(() => tiersOf(['run-tests'], ['domain'])).toThrow('No test file of domain has run-tests')
})
