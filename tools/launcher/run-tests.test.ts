import { expect, test } from 'vitest'
import { countTests } from './run-tests.ts'

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
