import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { googleEmulatorSpec, googleVars } from '../services/google-emulator.ts'
import { LaunchError } from '../services/launch-error.ts'
import { isPortFree } from '../services/ports.ts'
import { freshLog } from './back-services.ts'
import { ownPart } from './dev-vars.ts'
import { say } from './say.ts'
import type { Settings } from './settings.ts'
import type { Stack } from './stack.ts'

const PORT = 8791

/**
 * Sign-in with Google on this machine, where GOOGLE_CLIENT_ID is set (in .dev.vars, or for one start in
 * the environment): `emulator` starts the stand-in, anything else is a client of Google itself. Returns
 * what the Worker is to be told.
 */
export async function startGoogle(
  stack: Stack,
  { root, dataDir }: Settings,
  secretsFile: string,
): Promise<Record<string, string>> {
  const { id, secret } = readClient(secretsFile)
  if (id === '') return {}
  if (id !== 'emulator') return { GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }
  const port = Number(process.env.GOOGLE_PORT || PORT)
  if (!(await isPortFree(port))) {
    throw new LaunchError(
      `Port ${port} is taken by another program. End that, or choose another: GOOGLE_PORT=${port + 100} npm start`,
    )
  }
  await stack.add(googleEmulatorSpec({ root, port, logFile: freshLog(dataDir, 'google') }))
  say(`Sign-in with Google goes to the stand-in at http://127.0.0.1:${port}.`)
  return googleVars(port)
}

function readClient(secretsFile: string): { id: string; secret: string } {
  const text = existsSync(secretsFile) ? readFileSync(secretsFile, 'utf8') : ''
  const { GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '' } = {
    ...parseEnv(ownPart(text)),
    ...process.env,
  }
  return { id: GOOGLE_CLIENT_ID, secret: GOOGLE_CLIENT_SECRET }
}
