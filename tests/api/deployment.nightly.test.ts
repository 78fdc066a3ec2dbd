import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { testFolder } from '../harness/test-folder.ts'
import { brand } from '../../site/brand.ts'
import { smokeMail } from '../../tools/deploy/smoke-mail.ts'
import { smokeTest } from '../../tools/deploy/smoke-test.ts'
import { packageBinary, quietTools } from '../../tools/launcher/run-tool.ts'
import { root } from '../../tools/launcher/settings.ts'
import { EVERY_MINUTE, fireCron } from '../../tools/services/cron.ts'
import { startSqld } from '../harness/services.ts'
import { SECRETS } from '../harness/whole-environment.ts'

const NEXT_STEP = 'Deploy with: npm run deploy -- --env NAME'

test('`npm run deploy -- --env staging --dry-run` goes through every step without an account', () => {
  const { folder, commit } = cloneOfTree()
  const host = new URL(brand.websites.staging).host.replace(/\.example$/, '.test')
  mkdirSync(join(folder, '.secrets'))
  const lines = Object.entries(SECRETS).map(([name, value]) => `${name}=${value}`)
  writeFileSync(join(folder, '.secrets/staging.env'), lines.join('\n'))
  const { code, output } = deploy(folder, 'staging')
  expect(output).toContain(`git tree: clean, at ${commit}`)
  expect(output).toContain(`configuration: ${Object.keys(SECRETS).length} secrets, all usable`)
  expect(output).toContain('outside: not asked in a dry run')
  expect(output).toContain('build: dist/ is up to date')
  expect(output).toContain('upload: not sent in a dry run')
  expect(output).toMatch(
    /To roll back, unless secrets changed .*: npm run ops -- wrangler rollback/,
  )
  expect(output).not.toContain('would stop')
  for (const value of Object.values(SECRETS)) expect(output).not.toContain(value)
  expect(code).toBe(0)
  const built: unknown = JSON.parse(readFileSync(join(folder, 'dist/server/wrangler.json'), 'utf8'))
  expect(built).toMatchObject({
    name: expect.stringMatching(/-staging$/),
    targetEnvironment: 'staging',
    routes: [{ pattern: host, custom_domain: true }],
    vars: { ENVIRONMENT: 'staging', PUBLIC_ORIGIN: `https://${host}` },
  })
  const landing = readFileSync(join(folder, 'dist/client/index.html'), 'utf8')
  expect(landing, 'search engines leave staging alone').toContain('content="noindex"')
  // A build for one environment cannot be deployed to another.
  const elsewhere = run(
    [packageBinary('wrangler'), 'deploy', '--dry-run', '-e', 'production'],
    folder,
  )
  expect(elsewhere.output).toContain('does not match the target environment "staging"')
  expect(elsewhere.code).not.toBe(0)
  const shared = 'DATABASE_URL=https://db.sotto.example/'
  writeFileSync(join(folder, '.secrets/production.env'), shared)
  const facts = join(folder, 'site/brand.ts')
  writeFileSync(facts, readFileSync(facts, 'utf8').replace(/city: '\w+'/, "city: ''"))
  const stopped = deploy(folder, 'production', '--hotfix', 'payments fail')
  expect(stopped.output).toContain('tests: left out, because: payments fail')
  expect(stopped.output).toContain('git tree: a deployment would stop here. There are changes')
  expect(stopped.output).toContain(
    'DATABASE_AUTH_TOKEN is missing; JWT_SECRETS is missing; TRIAL_SECRET is missing;',
  )
  expect(stopped.output).toContain('DATABASE_URL names the database of staging')
  expect(stopped.output).toMatch(
    /To be filled in, in site\/brand\.ts and site\/content\/releases: .*place\.city/,
  )
  expect(stopped.output).toContain('build: a deployment would stop here. Fill in site/brand.ts')
  expect(stopped.output).not.toContain('upload:')
  expect(stopped.code).toBe(1)
})

test('the smoke test passes on a whole site, and names each path of one that does not answer', async () => {
  // Of this machine, /admin leads to a sign-in that a deployment does not have (tests/api/admin.test.ts).
  const admin = { hosts: [], team: '' }
  expect(await smokeTest(inject('siteUrl'), { admin })).toEqual([])
  expect(await smokeTest(inject('databaseUrl'))).toContain('/api/health answers 404, not 200')
})

test('the smoke test waits until the site has sent a mail, and says why it has not', async () => {
  const database = { url: inject('databaseUrl') }
  const mail = { to: 'operator@sotto.example', commit: '1a2b3c4' }
  let isSent = false
  const sent = smokeMail(database, mail, 60_000).finally(() => {
    isSent = true
  })
  while (!isSent) await fireCron(inject('siteUrl'), EVERY_MINUTE, new Date())
  expect(await sent).toEqual([])
  const alone = await startSqld()
  onTestFinished(alone.stop)
  expect(await smokeMail(alone, mail, 50)).toEqual([
    expect.stringContaining('no mail to operator@'),
  ])
  const refuse =
    "CREATE TRIGGER r AFTER INSERT ON mails BEGIN UPDATE mails SET last_error = 'E_X'; END"
  await fetch(alone.url, { method: 'POST', body: JSON.stringify({ statements: [refuse] }) })
  expect(await smokeMail(alone, mail, 50)).toEqual([expect.stringContaining('was refused: E_X')])
})

test('a build for localhost is not deployed, and the output says what to do', () => {
  const { code, output } = rehearse(copyOfBuild())
  expect(output).toContain('Not deployed: _headers lets addresses of this machine in.')
  expect(output).toContain(NEXT_STEP)
  expect(output).not.toContain('Total Upload')
  expect(code).not.toBe(0)
})

test('a folder without pages is not deployed', () => {
  const path = testFolder('deployment')
  const { code, output } = run([join(root, 'tools/build/refuse-local-build.mjs'), path], path)
  expect(output).toBe(`Not deployed: ${path} holds no pages. ${NEXT_STEP}\n`)
  expect(code).toBe(1)
})

/** A copy of what Wrangler reads, because other tests use dist/ at the same time. */
function copyOfBuild(): string {
  const path = testFolder('deployment')
  for (const part of ['dist', '.wrangler/deploy', 'wrangler.toml', 'package.json']) {
    cpSync(join(root, part), join(path, part), { recursive: true })
  }
  symlinkSync(join(root, 'tools'), join(path, 'tools'))
  return path
}

/**
 * A copy of the tree with hosts that are not examples, committed to a repository of its own, with the packages of this one.
 */
function cloneOfTree(): { folder: string; commit: string } {
  const folder = testFolder('deployment')
  const listed = git(root, 'ls-files', '--cached', '--others', '--exclude-standard').split('\n')
  for (const file of listed.filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const facts = join(folder, 'site/brand.ts')
  writeFileSync(facts, readFileSync(facts, 'utf8').replaceAll('.example', '.test'))
  git(folder, 'init', '--quiet')
  git(folder, 'add', '--all')
  git(folder, '-c', 'user.name=a', '-c', 'user.email=a@example.test', 'commit', '-qm', 'All')
  return { folder, commit: git(folder, 'rev-parse', '--short', 'HEAD').trim() }
}

function git(cwd: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd, encoding: 'utf8' })
}

function deploy(folder: string, environment: string, ...options: string[]) {
  const launcher = join(folder, 'tools/launch.mjs')
  const command = [launcher, 'tools/deploy/deploy.ts', 'deploy']
  return run([...command, '--env', environment, '--dry-run', ...options], folder)
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
