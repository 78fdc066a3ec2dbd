import { once } from 'node:events'
import type { Server } from 'node:http'
import { onTestFinished } from 'vitest'

/** Starts a server on a free port of this machine. Returns its address. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

/** As `listen`, until the test ends. */
export function listenInTest(server: Server): Promise<string> {
  onTestFinished(() => stopServer(server))
  return listen(server)
}

/** Ends a server and its connections. */
export async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
