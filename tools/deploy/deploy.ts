import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { unstable_readConfig, type Unstable_Config } from 'wrangler'
import { brand } from '../../site/brand.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { ensureBuilt } from '../launcher/build.ts'
import { test } from '../launcher/run-tests.ts'
import { runTool } from '../launcher/run-tool.ts'
import { root } from '../launcher/settings.ts'
import { applyMigrations } from '../services/migrate.ts'
import { backup } from '../ops/backup.ts'
import { configFaults, SECRETS, type Secrets } from './check-config.ts'
import { smokeTest } from './smoke-test.ts'

/** `npm run wrangler -- …`: Wrangler, under a Node that is new enough for it. */
export async function wrangler(words: string[]): Promise<void> {
  const { code } = await runTool('wrangler', words, { shows: true })
  process.exitCode = code
}

interface Deployment {
  environment: string
  /** Only looks: needs no account and no network, and changes nothing but dist/. */
  isDryRun: boolean
  /** What wrangler.toml says of the environment. */
  declared: Unstable_Config
  secrets: Secrets
  /** `https://` and the host. */
  origin: string
}

/** Does its work and returns what it did, in a few words. Throws a LaunchError that says what to do. */
type Step = (deployment: Deployment) => Promise<string> | string

/**
 * `npm run deploy -- --env NAME [--dry-run]`: everything from a clean tree to a tested site. The first step that fails
 * stops it; a dry run goes on to the last one.
 */
export async function deploy(words: string[]): Promise<void> {
  const deployment = readDeployment(words)
  const { environment, isDryRun } = deployment
  console.log(`Deploying to ${environment} (${deployment.origin})${isDryRun ? ', dry run' : ''}`)
  for (const [name, step] of Object.entries(STEPS)) {
    try {
      console.log(`${name}: ${await step(deployment)}`)
    } catch (error) {
      if (!(error instanceof LaunchError)) throw error
      if (!isDryRun) throw new LaunchError(`${name}: stopped here. ${error.message}`)
      console.log(`${name}: a deployment would stop here. ${error.message}`)
      process.exitCode = 1
    }
  }
  console.log(`To roll back: npm run wrangler -- rollback --env ${environment}`)
}

const STEPS: Record<string, Step> = {
  'git tree': cleanTree,
  configuration: checkConfig,
  tests: runTests,
  build: buildFor,
  backup: backUp,
  migrations: migrate,
  upload,
  'smoke test': lookAtSite,
}

function readDeployment(words: string[]): Deployment {
  const file = join(root, 'wrangler.toml')
  const known = unstable_readConfig({ config: file, env: '' }).definedEnvironments ?? []
  const { environment, isDryRun } = readWords(words)
  const website = Object.entries(brand.websites).find(([name]) => name === environment)
  if (website === undefined || !known.includes(environment)) {
    throw new LaunchError(
      `There is no environment "${environment}". Use: npm run deploy -- --env ${known.join('|')} [--dry-run]`,
    )
  }
  return {
    environment,
    isDryRun,
    declared: unstable_readConfig({ config: file, env: environment }),
    secrets: readSecrets(environment),
    origin: website[1],
  }
}

function readWords(args: string[]): { environment: string; isDryRun: boolean } {
  try {
    const options = { env: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const
    const { values } = parseArgs({ args, options })
    return { environment: values.env ?? '', isDryRun: values['dry-run'] ?? false }
  } catch (error) {
    throw new LaunchError(error instanceof Error ? error.message : String(error))
  }
}

const secretsFile = (environment: string) => `.secrets/${environment}.env`

/** From the environment's file, which git does not see, or without one (a hosted workflow) from our own environment. */
function readSecrets(environment: string): Secrets {
  const file = join(root, secretsFile(environment))
  if (existsSync(file)) return parseEnv(readFileSync(file, 'utf8'))
  return Object.fromEntries(
    SECRETS.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
  )
}

function cleanTree(): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' })
  if (git('status', '--porcelain') !== '') {
    throw new LaunchError('There are changes that are not committed: commit or stash them.')
  }
  return `clean, at ${git('rev-parse', '--short', 'HEAD').trim()}`
}

function checkConfig({ declared, secrets, origin, environment }: Deployment): string {
  const faults = configFaults(declared, secrets, origin)
  if (faults.length === 0) return `${Object.keys(secrets).length} secrets, all usable`
  throw new LaunchError(
    `In ${secretsFile(environment)}: ${faults.join('; ')}. See docs/runbook.md.`,
  )
}

async function runTests({ isDryRun }: Deployment): Promise<string> {
  if (isDryRun) return 'not run in a dry run'
  await test([])
  if (process.exitCode) throw new LaunchError('Tests fail: mend them, or deploy another commit.')
  return 'passed'
}

async function buildFor({ environment }: Deployment): Promise<string> {
  process.env.CLOUDFLARE_ENV = environment
  await ensureBuilt(root)
  return 'dist/ is up to date'
}

async function backUp({ isDryRun, environment, secrets }: Deployment): Promise<string> {
  if (isDryRun) return 'not made in a dry run'
  const folder = join(root, '.data/backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(
    folder,
    `${environment}-${new Date().toISOString().replaceAll(':', '-')}.sql.gz`,
  )
  const { DATABASE_URL: url = '', DATABASE_AUTH_TOKEN: authToken } = secrets
  await backup({ url, authToken }, file)
  return `${file}; to restore it: npm run ops -- restore FILE`
}

async function migrate({ isDryRun, secrets }: Deployment): Promise<string> {
  if (isDryRun) return 'not applied in a dry run'
  const { DATABASE_URL: url = '', DATABASE_AUTH_TOKEN: authToken = '' } = secrets
  const applied = await applyMigrations({ url, authToken })
  return applied.length > 0 ? `applied ${applied.join(', ')}` : 'the database is up to date'
}

/** Uploads code, pages and secrets together, so that no version runs with the secrets of another. */
async function upload({ environment, isDryRun, secrets, declared }: Deployment): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
  try {
    const file = join(folder, 'secrets.json')
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
    const words = ['deploy', '--env', environment, '--secrets-file', file]
    const { code, output } = await runTool('wrangler', isDryRun ? [...words, '--dry-run'] : words)
    if (code === 0) return isDryRun ? 'not sent in a dry run' : `${declared.name} is deployed`
    throw new LaunchError(
      `${output.trim()}\nMend what Wrangler says and run this again; the site is as it was.`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function lookAtSite({ environment, isDryRun, origin }: Deployment): Promise<string> {
  if (isDryRun) return 'not run in a dry run'
  const faults = await smokeTest(origin, 120_000)
  if (faults.length === 0) return 'health, pages and headers are fine'
  throw new LaunchError(
    `${faults.join('; ')}. Roll back: npm run wrangler -- rollback --env ${environment}`,
  )
}
