import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { BootstrapError } from './bootstrap-error.mjs'

/** The npm that started us, else the first on the PATH, run by the Node that runs this. */
function npmScript() {
  const started = process.env.npm_execpath
  if (started && basename(started) === 'npm-cli.js' && existsSync(started)) return started
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const found = join(folder, 'npm')
    if (!existsSync(found)) continue
    const script = realpathSync(found)
    if (script.endsWith('.js')) return script
  }
  throw new BootstrapError('npm was not found: install it (it comes with Node) and run again.')
}

/** What npm itself hands its scripts must not steer another npm. */
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
  const { ending, text } = await npm(args, cwd)
  if (ending === 0) return
  const network = unreachable.exec(text)
  if (network) {
    throw new BootstrapError(
      `${what} could not be downloaded: the package registry cannot be reached (${network[0]}). ` +
        `Check the network or npm's proxy settings and run again${remedy ? `, ${remedy}` : ''}.`,
    )
  }
  const reason = text
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .filter((line) => line && !/^(code|A complete log)/.test(line))
  throw new BootstrapError(
    `${what} could not be installed: ${reason.slice(0, 2).join(' ') || `npm ended with ${ending}`}`,
  )
}

/** How npm ended, by its exit code or a signal, and all that it printed, errors first. */
function npm(args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [npmScript(), ...args, '--loglevel=error'], {
      cwd,
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [errors, output] = [[], []]
    child.stderr.on('data', (bytes) => errors.push(bytes))
    child.stdout.on('data', (bytes) => output.push(bytes))
    child.once('error', reject)
    child.once('close', (code, signal) => {
      resolve({ ending: code ?? signal, text: Buffer.concat([...errors, ...output]).toString() })
    })
  })
}
