import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { arrayBuffer } from 'node:stream/consumers'
import { ConnectionDropped } from './core/errors.ts'
import { isLoopbackUrl, refuseProduction } from './safety.ts'

type Handler = (request: Request) => Promise<Response>

async function toRequest(message: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const method = message.method ?? 'GET'
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  const url = `http://${message.headers.host ?? 'localhost'}${message.url ?? '/'}`
  const isBare = method === 'GET' || method === 'HEAD'
  return new Request(url, {
    method,
    headers,
    signal,
    ...(isBare ? {} : { body: await arrayBuffer(message) }),
  })
}

async function send(response: Response, target: ServerResponse): Promise<void> {
  target.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) for await (const chunk of response.body) target.write(chunk)
  target.end()
}

async function answer(message: IncomingMessage, target: ServerResponse, handle: Handler) {
  // A page of another site must not read answers by a host name that resolves to this machine.
  if (!isLoopbackUrl(`http://${message.headers.host ?? ''}`)) {
    target.writeHead(403, { 'content-type': 'text/plain' }).end('Only as localhost or 127.0.0.1')
    return
  }
  const abort = new AbortController()
  target.on('close', () => {
    abort.abort()
  })
  try {
    await send(await handle(await toRequest(message, abort.signal)), target)
  } catch (cause) {
    if (cause instanceof ConnectionDropped) message.socket.resetAndDestroy()
    else target.destroy()
  }
}

/** Serves on 127.0.0.1 only. Rejects when the port is taken. */
export function serve(handle: Handler, port: number): Promise<Server> {
  const server = createServer((message, target) => void answer(message, target, handle))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      resolve(server)
    })
  })
}

interface Program {
  /** How its lines begin. */
  name: string
  /** The variable that sets its port, and the port without it. */
  variable: string
  usualPort?: number
  open: (port: number) => Promise<{ handle: Handler; close?: () => void; says: string }>
}

/** Runs an emulator as a process of its own until a signal ends it. What goes wrong at the start is one line. */
export async function run({ name, variable, usualPort, open }: Program): Promise<void> {
  try {
    refuseProduction(process.env)
    const port = Number(process.env[variable] ?? usualPort)
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new Error(`${variable} must be a port number`)
    }
    const { handle, close, says } = await open(port)
    const server = await serve(handle, port).catch((cause: unknown) => {
      const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
      throw isTaken
        ? new Error(`port ${String(port)} is taken: set ${variable} to another one`, { cause })
        : cause
    })
    console.log(`${name}: ${says}`)
    const stop = () => {
      close?.()
      server.close()
      server.closeAllConnections()
      process.exit(0)
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  } catch (cause) {
    console.error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`)
    process.exit(1)
  }
}
