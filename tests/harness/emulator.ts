import { join } from 'node:path'
import { razorpayEmulatorSpec } from '../../tools/services/emulators.ts'
import { root } from '../../tools/launcher/settings.ts'
import { onFreePort, runService, type Service } from './run-service.ts'
import { scratchFolder } from './scratch-folder.ts'
import { testSecrets } from './secrets.ts'

export interface Emulator extends Service {
  url: string
}

/** A Razorpay stand-in of one's own, in its own process. Its state outlives kill() and restart(), not stop(). */
export async function startEmulator({ webhookUrl }: { webhookUrl: string }): Promise<Emulator> {
  const scratch = scratchFolder('emulator')
  const { service, url } = await onFreePort(async (port) => ({
    service: await runService(
      razorpayEmulatorSpec({
        root,
        port,
        webhookUrl,
        stateFile: join(scratch.path, 'state.json'),
        keyId: testSecrets.RAZORPAY_KEY_ID,
        keySecret: testSecrets.RAZORPAY_KEY_SECRET,
        webhookSecret: testSecrets.RAZORPAY_WEBHOOK_SECRETS,
        logFile: join(scratch.path, 'emulator.log'),
      }),
    ),
    url: `http://localhost:${port}`,
  }))
  return {
    ...service,
    url,
    stop: async () => {
      await service.stop()
      scratch.remove()
    },
  }
}
