import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LaunchError } from './launch-error.mjs'
import { withLock } from './lock.mjs'

/** Makes node_modules what package-lock.json says; a stamp with the lockfile's hash makes the usual case instant. */
export async function ensurePackages(root) {
  if (isStamped(root)) return
  await withLock(join(root, '.tools/packages.lock'), async () => {
    if (isStamped(root)) return
    if (missingPackages(root).length > 0) await install(root)
    writeFileSync(stampFile(root), lockHash(root))
  })
}

async function install(root) {
  console.log('Installing packages (a minute or two the first time) …')
  await runNpm(['ci', '--include=dev', '--include=optional'], { cwd: root, what: 'The packages' })
  const [missing] = missingPackages(root)
  if (missing) {
    throw new LaunchError(`${missing} could not be downloaded: check the network and run again.`)
  }
}

const stampFile = (root) => join(root, 'node_modules/.sotto-lock')

function lockHash(root) {
  const platform = `${process.platform}-${process.arch}`
  const hash = createHash('sha256').update(platform)
  for (const file of ['package.json', 'package-lock.json'])
    hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function isStamped(root) {
  const file = stampFile(root)
  return existsSync(file) && readFileSync(file, 'utf8') === lockHash(root)
}

/** Compares with npm's own record of what it installed, so that a plain `npm install` is not done twice. */
function missingPackages(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(root, 'node_modules/.package-lock.json'))
  return Object.keys(wanted)
    .filter((path) => path !== '' && !isInPlace(wanted[path], present[path]))
    .map((path) => path.replace(/.*node_modules\//, ''))
}

function isInPlace(wanted, present) {
  if (present) return present.version === wanted.version
  return Boolean(wanted.peer) || (isOptional(wanted) && !isForThisMachine(wanted))
}

const isOptional = ({ optional, devOptional }) => Boolean(optional || devOptional)

/**
 * npm silently leaves out an optional package whose download fails or that does not support the Node that runs npm, so
 * we look for the packages built for this machine.
 */
function isForThisMachine({ os, cpu, libc }) {
  if (!os && !cpu) return false
  const fits = (list, value) => !list || [list].flat().includes(value)
  return fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, libcOfThisMachine())
}

/** The same test as npm's. */
function libcOfThisMachine() {
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** The npm that started us, or the first on the PATH. It runs under this Node. */
function npmScript() {
  const started = process.env.npm_execpath
  if (started && basename(started) === 'npm-cli.js' && existsSync(started)) return started
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const found = join(folder, 'npm')
    if (!existsSync(found)) continue
    const script = realpathSync(found)
    if (script.endsWith('.js')) return script
  }
  throw new LaunchError('npm was not found: install it (it comes with Node) and run again.')
}

/** The environment without the variables that npm sets for its scripts: they must not affect another npm. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([key]) =>
      !/^npm_(package_|lifecycle_|config_local_prefix|command)/.test(key) && key !== 'INIT_CWD',
  )
  return {
    ...Object.fromEntries(kept),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
  }
}

const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT)\b/

/**
 * Runs npm quietly; when it fails, throws one line that says why and what to do.
 * @param {string[]} args
 * @param {{ cwd: string, what: string, remedy?: string }} options
 */
export async function runNpm(args, { cwd, what, remedy }) {
  const { ending, output, errors } = await askNpm(args, cwd)
  if (ending === 0) return
  const text = errors + output
  const network = unreachable.exec(text)
  if (network) {
    throw new LaunchError(
      `${what} could not be downloaded: the package registry cannot be reached (${network[0]}). ` +
        `Check the network or npm's proxy settings and run again${remedy ? `, ${remedy}` : ''}.`,
    )
  }
  const reason = text
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .filter((line) => line && !/^(code|A complete log)/.test(line))
  const [, code = ''] = /^npm (?:error|ERR!) code (\w+)/m.exec(text) ?? []
  throw new LaunchError(
    `${what} could not be installed${code && ` (${code})`}: ${reason.slice(0, 2).join(' ') || `npm ended with ${ending}`}`,
  )
}

const withParent = fileURLToPath(new URL('end-with-parent.cjs', import.meta.url))

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Settings of somebody's ~/.npmrc under which npm installs nothing, elsewhere, or only what is old: the lock file pins all. */
const ours = ['--min-release-age=0', '--install-strategy=hoisted', '--no-dry-run']

/**
 * Runs npm quietly. Returns how it ended (exit code or signal) and what it printed.
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{ ending: number | string, output: string, errors: string }>}
 */
function askNpm(args, cwd) {
  return new Promise((resolve, reject) => {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    const child = spawn(
      process.execPath,
      ['--require', withParent, npmScript(), ...args, ...quiet, ...ours],
      {
        cwd,
        env: cleanEnvironment(),
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    )
    // Ctrl-C ends npm before us: the next start must not meet one that still installs.
    const end = (signal) => {
      process.exitCode = 130
      child.kill(signal === 'SIGINT' ? 'SIGTERM' : signal)
      child.once('close', () => process.exit())
    }
    for (const signal of signals) process.once(signal, end)
    const [errors, output] = [[], []]
    child.stderr.on('data', (bytes) => errors.push(bytes))
    child.stdout.on('data', (bytes) => output.push(bytes))
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const name of signals) process.off(name, end)
      resolve({
        ending: code ?? signal,
        output: Buffer.concat(output).toString(),
        errors: Buffer.concat(errors).toString(),
      })
    })
  })
}
