import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { LaunchError } from '../../tools/launcher/bootstrap/launch-error.mjs'
import { unpackChromium } from './unpack-chromium.ts'

export interface BrowserProgram {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

const installed = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(homedir(), 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
]

/**
 * A browser without anything to install: CHROME_PATH, else the one that comes as a package (Linux on x64), else an
 * installed Chrome or Chromium, else Playwright's own. Throws a LaunchError when there is none.
 */
export async function findBrowser(): Promise<BrowserProgram> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return program(CHROME_PATH)
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { executablePath, env } = await unpackChromium()
    return program(executablePath, env)
  }
  const found = [...installed, chromium.executablePath()].find((path) => existsSync(path))
  if (found) return program(found)
  throw new LaunchError('No browser was found: install Chrome, or set CHROME_PATH to a Chromium.')
}

function program(executablePath: string, env: Record<string, string> = {}): BrowserProgram {
  const inherited = Object.entries(process.env).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]],
  )
  return {
    executablePath,
    // The pages are our own, and a container's root may not make a sandbox.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { ...Object.fromEntries(inherited), ...env },
  }
}
