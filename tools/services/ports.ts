import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => {
      // A machine without IPv6 has nobody there either.
      resolve('code' in error && error.code !== 'EADDRINUSE' && host === '::1')
    })
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => {
        resolve(true)
      })
    })
  })
}

/** True when nobody listens there, on either of the addresses that "localhost" may mean. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'))
}

/** Ports that nobody listens on at this moment, each different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listenAnywhere()))
  const ports = servers.map(({ port }) => port)
  await Promise.all(servers.map(({ close }) => close()))
  return ports
}

/**
 * A free port that nobody else gets until `close` is called. Below those the system gives to connections going out
 * (Linux from 32768, macOS from 49152): one of these may take a port for a moment while its service is down.
 */
export async function listenAnywhere(): Promise<HeldPort> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await listenOn(randomInt(20_000, 32_000))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
      if (attempt === 100) throw error
    }
  }
}

interface HeldPort {
  port: number
  close: () => Promise<void>
}

function listenOn(port: number): Promise<HeldPort> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => {
            closed()
          })
        })
      resolve({ port, close })
    })
  })
}
