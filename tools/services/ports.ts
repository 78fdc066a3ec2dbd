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

/** A free port that nobody else gets until `close` is called. */
export function listenAnywhere(): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address()
      if (!address || typeof address === 'string') {
        reject(new Error('no port'))
        return
      }
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => {
            closed()
          })
        })
      resolve({ port: address.port, close })
    })
  })
}
