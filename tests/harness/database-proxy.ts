import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Answer {
  status: number
  body: string
}

export interface Passed extends Answer {
  headers: IncomingHttpHeaders
  /** The body of the request; `body` is the answer's. */
  request: string
}

/**
 * A proxy before a test's database, which records all requests. `intercept` gets each request and may answer instead of the
 * database.
 */
export async function startProxy(
  databaseUrl: string,
  intercept: (request: string) => Answer | null = () => null,
): Promise<{ url: string; passed: Passed[] }> {
  const passed: Passed[] = []
  const proxy = createServer((incoming, response) => {
    void (async () => {
      const request = await text(incoming)
      const answer =
        intercept(request) ?? (await forward(new URL(incoming.url ?? '/', databaseUrl), request))
      passed.push({ ...answer, headers: incoming.headers, request })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })()
  })
  return { url: await listen(proxy), passed }
}

async function forward(url: URL, body: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, body: await answer.text() }
}

/** A server that accepts calls and answers none. */
export async function startSilentServer(): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const url = await listen(createServer(() => (asked += 1)))
  return { url, asked: () => asked }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
