import { defineConfig } from 'vitest/config'
import { patternsOf, TIERS } from './tools/launcher/tiers.ts'

const isNightly = process.env['NIGHTLY'] !== undefined

export default defineConfig({
  test: {
    globalSetup: ['./tests/harness/setup.ts'],
    // Busy machines are slow, so tests wait for a state, not for a time.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Tests keep no state in modules, so files share what they import: importing takes as long as testing.
    isolate: false,
    projects: TIERS.map((tier) => ({
      extends: true,
      test: {
        name: tier.name,
        ...patternsOf(tier, isNightly),
        maxWorkers: tier.workers,
        sequence: { groupOrder: tier.group },
      },
    })),
  },
})
