import type { TestProject } from 'vitest/node'
import './provided.ts'
import { startSqld } from './sqld.ts'

/** Once a run: a migrated database that all files of the project share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sqld = await startSqld()
  project.provide('databaseUrl', sqld.url)
  return sqld.stop
}
