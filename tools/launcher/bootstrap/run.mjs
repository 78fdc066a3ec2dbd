import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { LaunchError } from './launch-error.mjs'
import { isNewEnough, newNode, runUnder } from './node.mjs'
import { ensurePackages } from './packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')

/** For each command: its TypeScript file, its function, and arguments put before those of the command line. */
const commands = {
  start: ['tools/launcher/start.ts', 'start'],
  dev: ['tools/launcher/dev.ts', 'dev'],
  'dev:replica': ['tools/launcher/start.ts', 'devReplica'],
  build: ['tools/launcher/build.ts', 'build'],
  check: ['tools/launcher/check.ts', 'check'],
  format: ['tools/launcher/check.ts', 'format'],
  migrate: ['tools/services/migrate.ts', 'migrateElsewhere'],
  deploy: ['tools/deploy/deploy.ts', 'deploy'],
  wrangler: ['tools/deploy/deploy.ts', 'wrangler'],
  test: ['tools/launcher/run-tests.ts', 'test'],
  'test:unit': ['tools/launcher/run-tests.ts', 'test', 'unit', 'stores', 'tools', 'domain'],
  'test:api': ['tools/launcher/run-tests.ts', 'test', 'api'],
  'test:e2e': ['tools/launcher/run-tests.ts', 'test', 'e2e'],
  'test:engines': ['tools/launcher/run-tests.ts', 'test', 'engines'],
  look: ['tools/launcher/run-tests.ts', 'look'],
  ops: ['tools/ops/ops.ts', 'ops'],
  demo: ['tools/ops/demo.ts', 'demo'],
  'test:long': ['tools/launcher/run-tests.ts', 'testLong'],
  'test:mutations': ['tools/mutations/mutations.ts', 'mutations'],
  sbom: ['tools/packages/sbom.ts', 'sbom'],
  audit: ['tools/packages/audit.ts', 'audit'],
  bench: ['tools/bench/bench.ts', 'bench'],
  clips: ['tools/clips/main.ts', 'clips'],
}

/** Runs one command of the project under a Node that is new enough, with the packages of the lockfile in place. */
export async function run([name = 'start', ...typed]) {
  try {
    if (!Object.hasOwn(commands, name)) {
      throw new LaunchError(`There is no "${name}". Known: ${Object.keys(commands).join(', ')}.`)
    }
    if (!isNewEnough(process.versions.node)) {
      // The packages come after it: npm leaves out, without a word, those that do not support the Node that runs it.
      runUnder(await newNode(root), [join(root, 'tools/launch.mjs'), name, ...typed])
      return
    }
    await ensurePackages(root)
    endWithOlderNode()
    muteTypeStrippingWarning()
    process.env.PATH = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`
    process.chdir(root)
    const [file, command, ...preset] = commands[name]
    const module = await import(pathToFileURL(join(root, file)).href)
    await module[command]([...preset, ...typed])
  } catch (error) {
    console.error(error instanceof LaunchError ? error.message : error)
    process.exitCode = 1
  }
}

/** An older Node that handed over to us (runUnder) ends us with itself: the kernel closes the channel. */
function endWithOlderNode() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}

/** Node 22 warns each time it runs TypeScript, which we know and want. */
function muteTypeStrippingWarning() {
  const emit = process.emitWarning.bind(process)
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emit(warning, ...rest)
  }
}
