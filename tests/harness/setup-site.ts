import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../../tools/launcher/build.ts'
import { root } from '../../tools/launcher/settings.ts'
import './provided.ts'
import { startSite } from './site.ts'

/** Once a run: the built site with database and emulator, which all files of the project share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureBuilt(root)
  const site = await startSite()
  project.provide('databaseUrl', site.sqld.url)
  project.provide('emulatorUrl', site.emulator.url)
  project.provide('siteUrl', site.worker.url)
  return site.stop
}
