import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { withLock } from '../../tools/launcher/bootstrap/lock.mjs'
import { root } from '../../tools/launcher/settings.ts'
import { LaunchError } from '../../tools/launcher/bootstrap/launch-error.mjs'

export interface UnpackedChromium {
  executablePath: string
  env: Record<string, string>
}

// The package unpacks into the temporary folder, under names that others use too; a process with a temporary folder of
// its own keeps it apart. The pretended runtime makes it bring the system libraries that slim images lack.
const script = `
import chromium from '@sparticuz/chromium'
await chromium.executablePath()
`

/** The Chromium of @sparticuz/chromium, unpacked once into .tools/. */
export async function unpackChromium(): Promise<UnpackedChromium> {
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

/** This machine's fonts, and the one that comes along for a machine that has none: there, text would not show at all. */
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

/** Asks the loader; where there is no ldd, the packaged libraries are the safer guess. */
function lacksLibraries(executablePath: string): boolean {
  const { status, stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' })
  return status !== 0 || stdout.includes('not found')
}
