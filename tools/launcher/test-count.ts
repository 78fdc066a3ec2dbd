import { z } from 'zod'

const Report = z.object({
  numPassedTests: z.number().default(0),
  numFailedTests: z.number().default(0),
  testResults: z
    .array(
      z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
    )
    .default([]),
})

/** Passed and failed tests of vitest's JSON report. A file that failed without a failing test (it did not load) counts as one. */
export function countTests(report: unknown): { passed: number; failed: number } {
  const { numPassedTests, numFailedTests, testResults } = Report.parse(report)
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length }
}
