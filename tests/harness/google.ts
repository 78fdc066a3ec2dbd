import { join } from 'node:path'
import { root } from '../../tools/launcher/settings.ts'
import { googleEmulatorSpec, googleVars } from '../../tools/services/emulators.ts'
import { onFreePort, runService, type Service } from './run-service.ts'
import { scratchFolder } from './scratch-folder.ts'

export interface GoogleStandIn extends Service {
  url: string
  /** For the Worker that is to speak to it. */
  vars: Record<string, string>
  /** What its next exchange of a code does wrong. */
  misbehave: (fault: string) => Promise<void>
}

/** A stand-in for Google's sign-in, in its own process. After restart() it signs with another key. */
export async function startGoogle(): Promise<GoogleStandIn> {
  const scratch = scratchFolder('google')
  const logFile = join(scratch.path, 'google.log')
  const { service, port } = await onFreePort(async (port) => ({
    service: await runService(googleEmulatorSpec({ root, port, logFile })),
    port,
  }))
  const url = `http://127.0.0.1:${port}`
  return {
    ...service,
    url,
    vars: googleVars(port),
    misbehave: async (fault) => {
      const answer = await fetch(`${url}/__emu/next`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-emu-control': 'local' },
        body: JSON.stringify({ fault }),
      })
      if (!answer.ok) throw new Error(`the stand-in does not know ${fault}`)
    },
    stop: async () => {
      await service.stop()
      scratch.remove()
    },
  }
}
