import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packageBinary, quietTools } from '../../tools/launcher/run-tool.ts'
import { root } from '../../tools/launcher/settings.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'

const NEXT_STEP = 'Build for the host it is for: PUBLIC_ORIGIN=https://HOST npm run build'
const LOOPBACK = ' http://localhost:* http://127.0.0.1:*'

test('a build for localhost is not deployed, and the output says what to do', () => {
  const { code, output } = rehearse(copyOfBuild())
  expect(output).toContain('Not deployed: dashboard.html lets addresses of this machine in.')
  expect(output).toContain(NEXT_STEP)
  expect(output).not.toContain('Total Upload')
  expect(code).not.toBe(0)
})

test('a build for a public host is deployed with its pages and bindings by `wrangler deploy` alone', () => {
  const folder = copyOfBuild()
  leaveOutLoopback(join(folder, 'dist/client'))
  const { code, output } = rehearse(folder)
  expect(output).toContain('--dry-run: exiting now')
  expect(output).toContain('env.ENVIRONMENT ("production")')
  expect(output).toMatch(/Read \d{2,} files from the assets directory/)
  expect(code).toBe(0)
})

test('a folder without pages is not deployed', () => {
  const { path, remove } = scratchFolder('deployment')
  onTestFinished(remove)
  const { code, output } = run([join(root, 'tools/build/refuse-local-build.mjs'), path], path)
  expect(output).toBe(`Not deployed: ${path} holds no pages. ${NEXT_STEP}\n`)
  expect(code).toBe(1)
})

/** A copy of what Wrangler reads, because other tests use dist/ at the same time. */
function copyOfBuild(): string {
  const { path, remove } = scratchFolder('deployment')
  onTestFinished(remove)
  for (const part of ['dist', '.wrangler/deploy', 'wrangler.toml', 'package.json']) {
    cpSync(join(root, part), join(path, part), { recursive: true })
  }
  symlinkSync(join(root, 'tools'), join(path, 'tools'))
  return path
}

/** Changes the pages to what `PUBLIC_ORIGIN=… npm run build` would make of their policy. */
function leaveOutLoopback(folder: string) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.html'))) {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(LOOPBACK, ''))
  }
}

/** Runs `wrangler deploy` without an account, up to the point where it would send anything. */
function rehearse(folder: string) {
  return run([packageBinary('wrangler'), 'deploy', '--dry-run'], folder)
}

function run(args: string[], cwd: string): { code: number | null; output: string } {
  // XDG_CONFIG_HOME is where Wrangler looks for an account and writes its logs.
  const env = { ...process.env, ...quietTools, XDG_CONFIG_HOME: cwd, FORCE_COLOR: '0' }
  const tool = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' })
  return { code: tool.status, output: tool.stdout + tool.stderr }
}
