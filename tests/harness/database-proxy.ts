import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenInTest, stopServer } from './listen.ts'

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
  return { url: await listenInTest(proxy), passed }
}

async function forward(url: URL, body: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, body: await answer.text() }
}

/** A server that accepts calls and answers none. */
export async function startSilentServer() {
  let asked = 0
  const server = createServer(() => (asked += 1))
  return { url: await listenInTest(server), asked: () => asked, stop: () => stopServer(server) }
}
