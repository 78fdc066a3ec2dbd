import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyMinute, fireCron } from '../services/cron.ts'
import { quietTools } from '../services/quiet-tools.ts'
import { answers } from '../services/wait-until.ts'
import { packageBinary } from './package-binary.ts'
import { freshLog, startBackServices } from './back-services.ts'
import { writeDevVars } from './dev-vars.ts'
import { startGoogle } from './google.ts'
import { runStack } from './run-stack.ts'
import { workerVars } from './worker-vars.ts'

await runStack(async ({ stack, settings, secrets, secretsFile }) => {
  const { root, dataDir, port } = settings
  const google = await startGoogle(stack, settings, secretsFile)
  writeDevVars(secretsFile, { ...workerVars(settings), ...google })
  await startBackServices(stack, settings, secrets)
  const origin = `http://127.0.0.1:${port}`
  await stack.add({
    name: 'The site',
    command: process.execPath,
    // Its own lock would refuse a second copy on another port.
    args: [
      packageBinary(root, 'astro'),
      'dev',
      '--host',
      '127.0.0.1',
      '--port',
      `${port}`,
      '--ignore-lock',
    ],
    env: { ...process.env, ...quietTools },
    logFile: freshLog(dataDir, 'site'),
    ownsTerminal: true,
    isReady: () => answers(origin),
    readyTimeoutMs: 60_000,
  })
  everyMinute(crons(root), (cron, at) => {
    fireCron(origin, cron, at).catch((error: unknown) => {
      console.error(`cron ${cron}: ${String(error)}`)
    })
  })
})

/** The cron lines of wrangler.toml; a file we write ourselves, so its one line is enough of a parser. */
function crons(root: string): string[] {
  const line = /^crons\s*=\s*(\[.*\])\s*$/m.exec(readFileSync(join(root, 'wrangler.toml'), 'utf8'))
  const list: string[] = line?.[1] ? JSON.parse(line[1]) : []
  return list
}
