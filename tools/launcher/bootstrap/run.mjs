import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { BootstrapError } from './bootstrap-error.mjs'
import { isNewEnough, newNode, runUnder } from './node.mjs'
import { ensurePackages } from './packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')

/** Command → the TypeScript file that does it, and arguments put before those that were typed. */
const commands = {
  start: ['tools/launcher/start.ts'],
  dev: ['tools/launcher/dev.ts'],
  build: ['tools/launcher/build.ts'],
  check: ['tools/launcher/check.ts'],
  format: ['tools/launcher/format.ts'],
  migrate: ['tools/launcher/migrate.ts'],
  test: ['tools/launcher/test.ts'],
  'test:unit': ['tools/launcher/test.ts', 'unit', 'domain'],
  'test:api': ['tools/launcher/test.ts', 'api'],
  'test:e2e': ['tools/launcher/test.ts', 'e2e'],
  bench: ['tools/launcher/bench.ts'],
  clips: ['tools/clips/main.ts'],
}

/** Runs one command of the project under a Node that is new enough, with the packages of the lockfile in place. */
export async function run([name = 'start', ...typed]) {
  try {
    const [file, ...preset] = commands[name] ?? []
    if (!file) {
      throw new BootstrapError(`There is no "${name}". Known: ${Object.keys(commands).join(', ')}.`)
    }
    if (!isNewEnough(process.versions.node)) {
      // Both are downloads the first time: npm itself runs under any Node.
      const [node] = await Promise.all([newNode(root), ensurePackages(root)])
      runUnder(node, [join(root, 'tools/launch.mjs'), name, ...typed])
      return
    }
    await ensurePackages(root)
    muteTypeStrippingWarning()
    process.env.PATH = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`
    process.chdir(root)
    process.argv = [process.execPath, join(root, file), ...preset, ...typed]
    await import(pathToFileURL(join(root, file)).href)
  } catch (error) {
    console.error(error instanceof BootstrapError ? error.message : error)
    process.exitCode = 1
  }
}

/** Node 22 warns each time it runs TypeScript; that it does is why it was chosen. */
function muteTypeStrippingWarning() {
  const emit = process.emitWarning.bind(process)
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emit(warning, ...rest)
  }
}
