import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brand } from '../../site/brand.ts'
import { unfilledFacts } from '../../site/build/guarded-deployment.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { ensureBuilt } from '../launcher/build.ts'
import { check } from '../launcher/check.ts'
import { test } from '../launcher/run-tests.ts'
import { runTool } from '../launcher/run-tool.ts'
import { root } from '../launcher/settings.ts'
import { applyMigrations, dueMigrations } from '../services/migrate.ts'
import { requireKey } from '../ops/encrypted.ts'
import { backUpInto } from './back-up.ts'
import { checkEnvironment, outsideOf } from './check-environment.ts'
import { reportLines } from './check-outside.ts'
import { type Environment, readEnvironment, withoutKeys } from './environment.ts'
import { smokeMail } from './smoke-mail.ts'
import { smokeTest } from './smoke-test.ts'

const USAGE = 'Usage: npm run deploy -- --env staging|production [--dry-run] [--hotfix REASON]'

interface Deployment extends Environment {
  /** The commit that was checked out at the beginning. */
  commit: string
  /** Only looks: needs no account and no network, and changes nothing but dist/. */
  isDryRun: boolean
  /** Why it goes without checks and tests; empty when it does not. */
  hotfix: string
}

/** Does the step and returns what it did, in a few words. Throws a LaunchError that says what to do. */
type Step = (deployment: Deployment) => Promise<string> | string

/**
 * `npm run deploy -- --env NAME [--dry-run] [--hotfix REASON]`: everything from a clean tree to a tested site. The
 * first step that fails stops it; a dry run continues as far as its build allows.
 */
export async function deploy(words: string[]): Promise<void> {
  const deployment = readDeployment(words)
  const { name: environment, isDryRun } = deployment
  console.log(`Deploying to ${environment} (${deployment.origin})${isDryRun ? ', dry run' : ''}`)
  for (const [title, step] of Object.entries(STEPS)) {
    try {
      console.log(`${title}: ${await step(deployment)}`)
    } catch (error) {
      if (!(error instanceof LaunchError)) throw error
      if (!isDryRun) throw new LaunchError(`${title}: stopped here. ${error.message}`)
      console.log(`${title}: a deployment would stop here. ${error.message}`)
      process.exitCode = 1
      if (step === buildFor) return
    }
  }
  console.log(rollBack(environment))
}

/** A version is code and secrets together, so going back also brings back a secret that leaked. */
const rollBack = (environment: string) =>
  `To roll back, unless secrets changed (docs/runbook.md, "Roll back"): npm run ops -- wrangler rollback --env ${environment}`

const STEPS: Record<string, Step> = {
  'git tree': cleanTree,
  configuration,
  outside: lookOutside,
  tests: runTests,
  build: buildFor,
  backup: backUp,
  migrations: migrate,
  upload,
  'smoke test': lookAtSite,
}

function readDeployment(args: string[]): Deployment {
  const { env = '', 'dry-run': isDryRun = false, hotfix } = readWords(args)
  if (env === '') throw new LaunchError(USAGE)
  if (hotfix?.trim() === '') throw new LaunchError(`--hotfix needs a reason. ${USAGE}`)
  return { ...readEnvironment(env), isDryRun, hotfix: hotfix ?? '', commit: currentCommit() }
}

function readWords(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        env: { type: 'string' },
        'dry-run': { type: 'boolean' },
        hotfix: { type: 'string' },
      },
    }).values
  } catch (error) {
    throw new LaunchError(error instanceof Error ? error.message : String(error))
  }
}

function cleanTree({ commit }: Deployment): string {
  if (git('status', '--porcelain', '--untracked-files=normal') !== '') {
    throw new LaunchError('There are changes that are not committed: commit or stash them.')
  }
  if (commit !== currentCommit())
    throw new LaunchError('Another commit was checked out: begin again.')
  return `clean, at ${commit}`
}

const currentCommit = () => git('rev-parse', '--short', 'HEAD').trim()

function git(...words: string[]): string {
  const { error, status, stdout, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  if (status === 0) return stdout
  const [said = ''] = (error?.message ?? stderr).split('\n')
  throw new LaunchError(`A deployment is of a commit, so it needs git and a clone: ${said}`)
}

/** The privacy page says that backups are encrypted, and a step makes one. */
function configuration(deployment: Deployment): string {
  const says = checkEnvironment(deployment)
  if (deployment.name === 'production') requireKey(process.env.BACKUP_KEY)
  return says
}

/** Checks the services around the Worker: accounts, domain, database, Razorpay, mail. */
async function lookOutside(deployment: Deployment): Promise<string> {
  if (deployment.isDryRun) return 'not asked in a dry run'
  if (deployment.hotfix !== '') return `left out, because: ${deployment.hotfix}`
  const findings = await outsideOf(deployment)
  const lines = reportLines(findings.filter(({ state }) => state !== 'fine'))
  if (findings.some(({ state }) => state === 'stop')) throw new LaunchError(lines.join('\n'))
  return ['nothing stands in the way', ...lines].join('\n')
}

/** The checks, and the tests of the Worker. Tests in browsers ran before the commit landed. */
async function runTests({ isDryRun, hotfix }: Deployment): Promise<string> {
  if (hotfix !== '') return `left out, because: ${hotfix}`
  if (isDryRun) return 'not run in a dry run'
  await withoutKeys(async () => {
    await check([])
    if (!process.exitCode) await test(['domain', 'api'])
  })
  if (process.exitCode)
    throw new LaunchError('The tests failed: fix them, or deploy another commit.')
  return 'passed'
}

async function buildFor(deployment: Deployment): Promise<string> {
  const { name, isDryRun } = deployment
  if (unfilledFacts(name).length > 0)
    throw new LaunchError('Fill in site/brand.ts and site/content/releases first.')
  process.env.CLOUDFLARE_ENV = name
  await withoutKeys(async () => void (await ensureBuilt()))
  // Somebody may have worked on while the tests ran.
  if (!isDryRun) cleanTree(deployment)
  return 'dist/ is up to date'
}

async function backUp(deployment: Deployment): Promise<string> {
  if (deployment.isDryRun) return 'not made in a dry run'
  // Not in .data/, which people delete to begin anew.
  const folder = join(root, '.secrets/backups')
  const file = await backUpInto(folder, deployment, process.env.BACKUP_KEY)
  return `${file}; into an empty database: npm run ops -- restore FILE --env ${deployment.name}`
}

async function migrate({ isDryRun, secrets }: Deployment): Promise<string> {
  if (isDryRun) return 'not applied in a dry run'
  const { DATABASE_URL: url = '', DATABASE_AUTH_TOKEN: authToken = '' } = secrets
  await dueMigrations({ url, authToken })
  const applied = await applyMigrations({ url, authToken })
  return applied.length > 0 ? `applied ${applied.join(', ')}` : 'the database is up to date'
}

/** Uploads code, pages and secrets together, so that no version runs with the secrets of another. */
async function upload(deployment: Deployment): Promise<string> {
  const { name, isDryRun, hotfix, secrets, declared, commit } = deployment
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
  try {
    const file = join(folder, 'secrets.json')
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
    // `wrangler deployments list` shows it.
    const message = `${commit}${hotfix && `, without tests: ${hotfix}`}`
    const words = ['deploy', '--env', name, '--secrets-file', file, '--message', message]
    if (secrets['ADMIN_HOST']) words.push('--domains', secrets['ADMIN_HOST'])
    const { code, output } = await runTool('wrangler', isDryRun ? [...words, '--dry-run'] : words)
    if (code === 0) return isDryRun ? 'not sent in a dry run' : `${declared.name} is deployed`
    throw new LaunchError(
      `${output.trim()}\nFix what Wrangler reports and run this again. If it says "Uploaded", the new version is live, without a smoke test.`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function lookAtSite(deployment: Deployment): Promise<string> {
  const { name, isDryRun, origin, secrets, commit } = deployment
  if (isDryRun) return 'not run in a dry run'
  const { DATABASE_URL: url = '', DATABASE_AUTH_TOKEN: authToken } = secrets
  const mail = { to: brand.operatorEmail, commit }
  // Together: while mail was down, health is until this mail was sent.
  const { ACCESS_TEAM: team, ADMIN_HOST: host } = secrets
  const admin = { hosts: [origin, ...(host ? [`https://${host}`] : [])], team: team ?? '' }
  const looks = [
    smokeTest(origin, { patienceMs: 180_000, admin }),
    smokeMail({ url, authToken }, mail, 180_000),
  ]
  const faults = (await Promise.all(looks)).flat()
  if (faults.length === 0) return `health, pages, headers and the mail to ${mail.to} are fine`
  throw new LaunchError(`${faults.join('; ')}. ${rollBack(name)}`)
}
