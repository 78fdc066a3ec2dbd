import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './ports.ts'

export interface FarLink {
  port: number
  close: () => void
}

/** A way to a port of this machine on which what comes back takes `ms` longer, as over a distance. */
export async function startFarLink(port: number, ms: number): Promise<FarLink> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.setNoDelay(true)
    far.setNoDelay(true)
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => setTimeout(() => near.writable && near.write(bytes), ms))
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        setTimeout(() => other.destroy(), ms)
      })
    }
  })
  const own = await freePort()
  await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve))
  return {
    port: own,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
