import { connect, type Socket } from 'node:net'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

/** One HTTP request, as it is sent. */
export interface Shot {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: object
}

export interface Hit {
  status: number
  /** Header lines and body, in bytes. */
  bytes: number
  head: string
  ms: number
}

/** A connection that sends one request after another. It costs less than any HTTP client, so that what is measured is the server. */
export class Connection {
  private readonly host: string
  private readonly socket: Socket
  private received = ''
  private wake: () => void = () => undefined

  constructor({ host, hostname, port }: URL) {
    this.host = host
    this.socket = connect(Number(port), hostname)
    this.socket.setNoDelay(true)
    this.socket.setEncoding('latin1')
    this.socket.on('data', (text: string) => {
      this.received += text
      this.wake()
    })
    this.socket.on('error', () => {
      this.wake()
    })
    this.socket.on('close', () => {
      this.wake()
    })
  }

  async send({ method, path, headers = {}, body }: Shot): Promise<Hit> {
    const content = body === undefined ? '' : JSON.stringify(body)
    const all = {
      host: this.host,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'POST' ? { 'content-length': String(Buffer.byteLength(content)) } : {}),
      ...headers,
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    const began = performance.now()
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`)
    for (;;) {
      const length = lengthOf(this.received)
      if (length !== null && this.received.length >= length) {
        const answer = this.received.slice(0, length)
        this.received = this.received.slice(length)
        const head = answer.slice(0, answer.indexOf('\r\n\r\n'))
        const status = Number(head.slice(9, 12))
        return { status, bytes: length, head, ms: performance.now() - began }
      }
      if (this.socket.destroyed) throw new LaunchError(`${path}: the connection was closed`)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  /** False once either side has closed it; open another one then. */
  isOpen(): boolean {
    return this.socket.writable && !this.socket.destroyed
  }

  end(): void {
    this.socket.destroy()
  }
}

/** How long the answer is that begins here, in bytes; null while that cannot be told. */
function lengthOf(received: string): number | null {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = received.slice(0, headEnd)
  const [, declared] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  if (declared !== undefined) return headEnd + 4 + Number(declared)
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return headEnd + 4
  const last = received.indexOf('\r\n0\r\n\r\n', headEnd)
  return last < 0 ? null : last + 7
}

/** Sends requests over so many connections at once until the time is over. Throws a LaunchError when a status is not 200. */
export async function fire(
  origin: string,
  next: () => Shot,
  { connections, ms }: { connections: number; ms: number },
): Promise<Hit[]> {
  const hits: Hit[] = []
  const until = performance.now() + ms
  const one = async () => {
    const connection = new Connection(new URL(origin))
    try {
      while (performance.now() < until) {
        const shot = next()
        const hit = await connection.send(shot)
        if (hit.status !== 200) throw new LaunchError(`${shot.path} answered ${hit.status}`)
        hits.push(hit)
      }
    } finally {
      connection.end()
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return hits
}
