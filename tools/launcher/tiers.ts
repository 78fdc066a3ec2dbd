import { globSync } from 'node:fs'

/** One tier of tests. */
export interface Tier {
  name: string
  /** Where its files are. */
  folder: string
  /** How many of its files run at once. */
  workers: number
  /** Tiers of one group run at the same time; the groups run one after another. */
  group: number
  /** When `npm test` begins with it: at once, or as soon as the site is built. */
  when: 'at once' | 'built'
}

/**
 * The tiers, cheapest first; a file's folder decides its tier and what it may reach. A file whose name ends in
 * `.nightly.test.ts` runs in `npm run test:long` alone.
 */
export const TIERS: readonly Tier[] = [
  // Only code that runs in this process and waits for nothing: lint keeps servers out.
  { name: 'unit', folder: '{src/{contract,lib,ui},site}', workers: 2, group: 1, when: 'at once' },
  // The browser's stores and their caller, against a real HTTP server.
  { name: 'stores', folder: 'src/{api,features}', workers: 2, group: 1, when: 'at once' },
  // Launcher, emulators and the other tools. They start the programs that they test.
  { name: 'tools', folder: 'tools', workers: 2, group: 1, when: 'at once' },
  { name: 'domain', folder: 'edge-api', workers: 3, group: 2, when: 'at once' },
  // They mostly wait for another process, so even two cores keep up with three files. More would suffer from the floods
  // that some of them send.
  { name: 'api', folder: 'tests/api', workers: 3, group: 3, when: 'built' },
  { name: 'e2e', folder: 'tests/e2e', workers: 4, group: 4, when: 'built' },
  // The journeys again in Firefox and in WebKit, one file for each.
  { name: 'engines', folder: 'tests/engines', workers: 2, group: 5, when: 'built' },
]

const NIGHTLY = '**/*.nightly.test.ts'
const PACKAGES = '**/node_modules/**'

/** The patterns of a tier's files, for `npm test` or for the night. */
export function patternsOf(
  { folder }: Tier,
  isNightly: boolean,
): { include: string[]; exclude: string[] } {
  return isNightly
    ? { include: [`${folder}/${NIGHTLY}`], exclude: [PACKAGES] }
    : { include: [`${folder}/**/*.test.{ts,tsx}`], exclude: [PACKAGES, NIGHTLY] }
}

/** The tiers that have a file with one of these words in its path. */
export function tiersWith(root: string, words: readonly string[], isNightly: boolean): Tier[] {
  return TIERS.filter((tier) => {
    const { include, exclude } = patternsOf(tier, isNightly)
    const files = globSync(include, { cwd: root, exclude })
    return files.some((path) => words.some((word) => path.includes(word)))
  })
}
