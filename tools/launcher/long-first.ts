import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, in seconds of their own. Each tier starts with them: the test runner would begin with large
 * files, and at the end of a tier one core would wait for a small one that takes long.
 */
export const LONG: Readonly<Record<string, number>> = {
  'tests/e2e/buying.test.ts': 79,
  'tests/e2e/every-screen.test.ts': 62,
  'tools/mutations/held.test.ts': 60,
  'tests/e2e/settings.test.ts': 45,
  'tests/e2e/purchase-journeys.test.ts': 44,
  'tests/e2e/dev.test.ts': 40,
  'tests/e2e/refund-journey.test.ts': 35,
  'tests/e2e/speed.test.ts': 35,
  'tests/e2e/desk.test.ts': 34,
  'tests/e2e/sign-in.test.ts': 32,
  'edge-api/domain/purchase/histories.test.ts': 31,
  'tests/api/round-trips.test.ts': 30,
  'tests/api/deployment.test.ts': 29,
  'tests/e2e/failed-calls.test.ts': 28,
  'tests/api/database-outage.test.ts': 20,
  'tests/e2e/site/looks.test.ts': 20,
  'tests/api/rebrand.test.ts': 17,
  'tests/api/hash-admission.test.ts': 15,
  'tests/api/launcher.test.ts': 15,
  'tools/ops/demo.test.ts': 12,
  'tools/launcher/check.test.ts': 8,
}

/** Sorts the long files of each tier before the others. */
export class LongFirst extends BaseSequencer {
  /** The order in which files are started. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const tier = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    return sorted.toSorted((a, b) => tier(a) - tier(b) || secondsOf(b) - secondsOf(a))
  }
}

function secondsOf({ moduleId, project }: TestSpecification): number {
  return LONG[moduleId.slice(project.config.root.length + 1)] ?? 0
}
