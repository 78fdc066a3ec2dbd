import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../../tools/launcher/build.ts'
import { type BrowserProgram, findBrowser } from './find-browser.ts'
import { startSite, startSqld } from './services.ts'

/** Addresses that test files inject. */
declare module 'vitest' {
  interface ProvidedContext {
    /** The libSQL servers of the workers, migrated. In domain. */
    databaseUrls?: string[]
    /** The libSQL server of the tier, migrated. In api, e2e and engines. */
    databaseUrl: string
    /** The built site in workerd. In api, e2e and engines. */
    siteUrl: string
    /** The Razorpay emulator whose webhooks reach that site. In api, e2e and engines. */
    emulatorUrl: string
    /** How openPage() starts the browser of its worker. In e2e. */
    browserProgram: BrowserProgram
  }
}

/** Where git would work instead of in a test's folder, when it was a hook that started the tests. */
for (const name of Object.keys(process.env)) {
  if (name.startsWith('GIT_')) Reflect.deleteProperty(process.env, name)
}

/**
 * Runs once before all tests: starts what the tiers of this run need, each service once. Each worker of the domain tier
 * has a database of its own, so that a test can work on all rows and empty the tables.
 */
export default async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const tiers = (...names: string[]) => vitest.projects.filter(({ name }) => names.includes(name))
  const [endDatabases, endSite] = await Promise.all([
    provideDatabases(tiers('domain')),
    provideSite(tiers('api', 'e2e', 'engines')),
    provideBrowser(tiers('e2e')),
  ])
  return async () => {
    await Promise.all([endDatabases?.(), endSite?.()])
  }
}

type Stop = () => Promise<void>

async function provideDatabases(tiers: TestProject[]): Promise<Stop | undefined> {
  if (tiers.length === 0) return
  const workers = Math.max(...tiers.map(({ config }) => config.maxWorkers))
  const servers = await Promise.all(Array.from({ length: workers }, () => startSqld()))
  for (const tier of tiers)
    tier.provide(
      'databaseUrls',
      servers.map(({ url }) => url),
    )
  return async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

async function provideSite(tiers: TestProject[]): Promise<Stop | undefined> {
  if (tiers.length === 0) return
  await ensureBuilt()
  const site = await startSite()
  for (const tier of tiers) {
    tier.provide('databaseUrl', site.sqld.url)
    tier.provide('emulatorUrl', site.emulator.url)
    tier.provide('siteUrl', site.worker.url)
  }
  return site.stop
}

/** Nobody sees these frames: drawing them at lower quality saves a seventh of the browser tests' cost. */
const FRUGAL = [
  '--disable-gpu-compositing',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
]

async function provideBrowser(tiers: TestProject[]): Promise<void> {
  if (tiers.length === 0) return
  const { args, ...program } = await findBrowser()
  for (const tier of tiers)
    tier.provide('browserProgram', { ...program, args: [...args, ...FRUGAL] })
}
