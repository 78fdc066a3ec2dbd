import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenInTest } from './listen.ts'

interface ReceivedRequest {
  method: string | undefined
  path: string | undefined
  body: string
}

interface Listener {
  url: string
  requests: ReceivedRequest[]
  /** Sets the status of all later answers; null answers nothing. */
  answers: (status: number | null) => void
}

/** A server that keeps what it is sent, until the test ends: a chat's webhook or a monitor. */
export async function startListener(): Promise<Listener> {
  const requests: ReceivedRequest[] = []
  let status: number | null = 204
  const server = createServer((request, response) => void answer(request, response))
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const part of request) body += String(part)
    requests.push({ method: request.method, path: request.url, body })
    if (status !== null) response.writeHead(status, { Location: '/elsewhere' }).end()
  }
  const url = await listenInTest(server)
  return {
    url: `${url}/secret-path`,
    requests,
    answers: (next) => {
      status = next
    },
  }
}
