import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BootstrapError } from './bootstrap-error.mjs'
import { withLock } from './lock.mjs'
import { runNpm } from './npm.mjs'

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
    throw new BootstrapError(`${missing} could not be downloaded: check the network and run again.`)
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

/** npm drops an optional package in silence when its download fails, so those for this machine are asked for. */
function isForThisMachine({ os, cpu, libc }) {
  if (!os && !cpu) return false
  if (libc) return false
  const fits = (list, value) => !list || [list].flat().includes(value)
  return fits(os, process.platform) && fits(cpu, process.arch)
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}
