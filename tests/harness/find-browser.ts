import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { LaunchError } from '../../tools/launcher/bootstrap/launch-error.mjs'
import { createRequire } from 'node:module'
import { withLock } from '../../tools/launcher/bootstrap/lock.mjs'
import { root } from '../../tools/launcher/settings.ts'

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
 * A browser that needs no installation: CHROME_PATH, else the one that comes as a package (Linux on x64), else an
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
    // The pages are our own, and Chromium's sandbox does not start for root in a container.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { ...Object.fromEntries(inherited), ...env },
  }
}

interface UnpackedChromium {
  executablePath: string
  env: Record<string, string>
}

// The package unpacks into the temporary folder, under names that other programs use too, so it runs in a process with
// a temporary folder of its own. It brings the system libraries that slim images lack only if it believes it runs on
// Lambda.
const script = `
import chromium from '@sparticuz/chromium'
await chromium.executablePath()
`

/** The Chromium of @sparticuz/chromium, unpacked once into .tools/. */
async function unpackChromium(): Promise<UnpackedChromium> {
  const folder = join(root, '.tools', `chromium-${packageVersion()}`)
  if (!existsSync(folder)) {
    await withLock(`${folder}.lock`, () => {
      if (!existsSync(folder)) unpackInto(folder)
    })
  }
  const executablePath = join(folder, 'chromium')
  const libraries = lacksLibraries(executablePath)
    ? { LD_LIBRARY_PATH: join(folder, 'al2023/lib') }
    : {}
  return { executablePath, env: { ...libraries, FONTCONFIG_FILE: fontConfig(folder) } }
}

/** This machine's fonts and one of the package's: on a machine without fonts, no text would show. */
function fontConfig(folder: string): string {
  const file = join(folder, 'fonts.conf')
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, 'fonts/fonts')}</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`,
  )
  return file
}

function packageVersion(): string {
  const entry = createRequire(join(root, 'package.json')).resolve('@sparticuz/chromium')
  const manifest = join(dirname(entry), '../package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return version
}

function unpackInto(folder: string): void {
  const draft = `${folder}.part`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  const done = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    encoding: 'utf8',
  })
  if (done.status !== 0)
    throw new LaunchError(`Chromium could not be unpacked: ${done.stderr.trim()}`)
  renameSync(draft, folder)
}

/** Asks `ldd`. Where there is none, the packaged libraries are the safer guess. */
function lacksLibraries(executablePath: string): boolean {
  const { status, stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' })
  return status !== 0 || stdout.includes('not found')
}
