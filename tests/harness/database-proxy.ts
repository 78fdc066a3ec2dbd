import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenInTest, stopServer } from './listen.ts'

interface Answer {
  status: number
  body: string
}

interface Passed extends Answer {
  headers: IncomingHttpHeaders
  /** The body of the request; `body` is the answer's. */
  request: string
}

/** Gets each request, and may answer instead of the database, or lose the database's answer. */
type Intercept = (request: string) => Intercepted | Promise<Intercepted>
type Intercepted = Answer | 'lost' | null

/** A proxy before a test's database, which records all requests. */
export async function startProxy(databaseUrl: string, intercept?: Intercept) {
  const { server, passed } = proxyBefore(databaseUrl, intercept)
  return { url: await listenInTest(server), passed }
}

/** As `startProxy`, for a caller who starts and stops the server. */
export function proxyBefore(databaseUrl: string, intercept: Intercept = () => null) {
  const passed: Passed[] = []
  const server = createServer((incoming, response) => {
    void (async () => {
      const request = await text(incoming)
      const given = await intercept(request)
      const isOwn = given !== null && given !== 'lost'
      const url = new URL(incoming.url ?? '/', databaseUrl)
      const answer = isOwn ? given : await forward(url, request)
      passed.push({ ...answer, headers: incoming.headers, request })
      if (given === 'lost') response.destroy()
      else
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })()
  })
  return { server, passed }
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
