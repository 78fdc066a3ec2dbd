import { spawnSync } from 'node:child_process'
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
export function runNpm(args, { cwd, what, remedy }) {
  const done = spawnSync(process.execPath, [npmScript(), ...args, '--loglevel=error'], {
    cwd,
    env: cleanEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  })
  if (done.status === 0) return
  const text = `${done.stderr}${done.stdout}`
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
    `${what} could not be installed: ${reason.slice(0, 2).join(' ') || `npm ended with ${done.status ?? done.signal}`}`,
  )
}
