import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findBrowser } from './find-browser.ts'
import './provided.ts'

/** Once a run: one browser; each test opens a context of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { executablePath, args, env } = await findBrowser()
  const server = await chromium.launchServer({ executablePath, args, env, host: '127.0.0.1' })
  project.provide('browserEndpoint', server.wsEndpoint())
  return () => server.close()
}
