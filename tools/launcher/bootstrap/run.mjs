import { existsSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { LaunchError } from './launch-error.mjs'
import { isNewEnough, newNode, runUnder } from './node.mjs'
import { ensurePackages } from './packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')

/**
 * Runs a command of package.json under a Node that is new enough, with the packages of the lockfile in place.
 *
 * @param words a TypeScript file, the name of its function that is the command, and the command's arguments
 */
export async function run(words) {
  try {
    refuseUnusualPath()
    keepLoopbackFromProxies()
    // Wrangler's variable, which somebody who deploys may have in the shell. Here `--env` alone names an environment.
    delete process.env.CLOUDFLARE_ENV
    if (!isNewEnough(process.versions.node)) {
      // The packages come after it: npm leaves out, without a word, those that do not support the Node that runs it.
      runUnder(await newNode(root), [join(root, 'tools/launch.mjs'), ...words])
      return
    }
    await ensurePackages(root)
    endWithOlderNode()
    muteTypeStrippingWarning()
    process.env.PATH = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`
    process.chdir(root)
    const [file, command, ...rest] = words
    const module = await import(pathToFileURL(join(root, file)).href)
    const work = module[command]
    if (work.length === 0 && rest.length > 0)
      throw new LaunchError(`npm run ${command} takes no "${rest[0]}".`)
    await work(rest)
  } catch (error) {
    console.error(error instanceof LaunchError ? error.message : (fullDisk(error) ?? error))
    // A program that we started may have had no room even to say so.
    if (error instanceof LaunchError && !hasRoom()) console.error(FULL)
    process.exitCode = 1
  }
}

const FULL = 'The disk is full. Make room, and run this again.'

/** SQLite's code for a full disk, which locking the data folder can raise. */
const SQLITE_FULL = 13

function fullDisk(error) {
  // The database server calls a full disk an input/output error.
  const isFull = error?.code === 'ENOSPC' || error?.errcode === SQLITE_FULL
  if (!isFull && !(/SQLITE_IOERR|disk I\/O/.test(error?.message) && !hasRoom())) return null
  return error.path ? `There is no room for ${error.path}. ${FULL}` : FULL
}

function hasRoom() {
  const { bavail, bsize } = statfsSync(
    process.env.DATA_DIR && existsSync(process.env.DATA_DIR) ? process.env.DATA_DIR : root,
  )
  return bavail * bsize > 4 * 1024 ** 2
}

/** Vite cuts the paths of files at these characters. */
function refuseUnusualPath() {
  const [found] = /[#?%]/.exec(root) ?? []
  if (found)
    throw new LaunchError(
      `This folder cannot be built, because its path has a "${found}": ${root}. Move it.`,
    )
}

/** Our services call each other on this machine, where no proxy of a company is. */
function keepLoopbackFromProxies() {
  const { NO_PROXY, no_proxy = NO_PROXY } = process.env
  const own = [no_proxy, 'localhost', '127.0.0.1', '::1'].filter(Boolean).join(',')
  Object.assign(process.env, { NO_PROXY: own, no_proxy: own })
}

/** When the older Node that started this one (runUnder) ends, the kernel closes the channel and this one ends too. */
function endWithOlderNode() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}

/** Hides the warning of Node 22 that it runs TypeScript. */
function muteTypeStrippingWarning() {
  const emit = process.emitWarning.bind(process)
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emit(warning, ...rest)
  }
}
