import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../../tools/services/ports.ts'
import { waitUntil } from '../../tools/services/wait-until.ts'

/** A launcher that a test started. */
export interface Launched {
  child: ChildProcess
  /** All it printed so far. */
  text: () => string
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>
}

/** The variables of a copy of its own: free ports, and this folder for its data. */
export async function ownSettings(dataDir: string) {
  const [port, dbPort, razorpayPort] = [await freePort(), await freePort(), await freePort()]
  return {
    PORT: String(port),
    DB_PORT: String(dbPort),
    RAZORPAY_PORT: String(razorpayPort),
    DATA_DIR: dataDir,
  }
}

/** `npm start`, `npm run dev` or `npm test -- FILE` without npm, in the tree at `root`, with these variables on top of the environment. */
export function launch(
  root: string,
  command: 'start' | 'dev' | `test ${string}`,
  variables: Record<string, string>,
  user: Pick<SpawnOptions, 'uid' | 'gid'> = {},
): Launched {
  const file = command.startsWith('test') ? 'run-tests' : command
  const args = [join(root, 'tools/launch.mjs'), `tools/launcher/${file}.ts`, ...command.split(' ')]
  const env = { ...withoutTestRunner(process.env), ...variables }
  // The channel ends the launcher when this test process dies before it could.
  const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const, 'ipc' as const]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio, ...user })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => (text += bytes.toString()))
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, text: () => text, ended }
}

/** What the test runner sets for the code under test; a dev server would take it for its own settings. */
const OF_TEST_RUNNER = /^(VITEST.*|NIGHTLY|TEST|NODE_ENV|MODE|DEV|PROD|SSR|BASE_URL)$/

function withoutTestRunner(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_TEST_RUNNER.test(name)))
}

/** Waits until a stack prints its addresses. Ends it and throws what it printed when it does not. */
export async function untilReady(launched: Launched): Promise<void> {
  const isUp = () => Promise.resolve(launched.text().includes('Ctrl-C stops everything'))
  const gone = new AbortController()
  launched.child.once('exit', () => {
    gone.abort()
  })
  if (await waitUntil(isUp, { timeoutMs: 900_000, signal: gone.signal })) return
  launched.child.kill()
  throw new Error(launched.text())
}
