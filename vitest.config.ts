import { defineConfig } from 'vitest/config'
import { LongFirst } from './tools/launcher/long-first.ts'

/** What is waited for comes late on a busy machine; only its coming is tested. */
const expect = { poll: { timeout: 10_000 } }

/** What one file has imported stays loaded for the next: tests keep no state in modules, and imports take as long as they. */
const isolate = false

/** Eight tiers, fastest first; a file's place says which it belongs to and what it may reach. */
export default defineConfig({
  test: {
    globalSetup: ['./tests/harness/setup.ts'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          // Only what runs in this process and waits for nobody: lint keeps servers out.
          name: 'unit',
          expect,
          isolate,
          include: ['{src,site}/**/*.test.{ts,tsx}'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // The browser's stores and their caller, against a real HTTP server.
          name: 'stores',
          expect,
          isolate,
          include: ['tests/stores/**/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // Launcher, emulators and the other tools, which start the programs they are about.
          name: 'tools',
          expect,
          isolate,
          include: ['tools/**/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'domain',
          expect,
          isolate,
          include: ['edge-api/**/*.test.ts'],
          // Twenty writes at once on a busy machine take their time; that is not what is tested.
          testTimeout: 60_000,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'api',
          expect,
          isolate,
          include: ['tests/api/**/*.test.ts'],
          // They mostly wait for another process; even two cores keep up with three files. More would meet
          // the floods that some of them send.
          maxWorkers: 3,
          testTimeout: 60_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'e2e',
          expect,
          isolate,
          include: ['tests/e2e/**/*.test.ts'],
          maxWorkers: 4,
          // A journey over many screens, on a busy machine.
          testTimeout: 120_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          // The journeys again in Firefox and in WebKit, one file for each.
          name: 'engines',
          expect,
          isolate,
          include: ['tests/engines/*.test.ts'],
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 90_000,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          // What measures time runs apart. Each of its two files compares things in turns and has a core to itself.
          name: 'pace',
          expect,
          isolate,
          include: ['tests/pace/**/*.test.ts'],
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
