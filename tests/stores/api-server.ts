import { createServer, type IncomingMessage } from 'node:http'
import { type Endpoint, Failure, type FieldError } from '../../src/contract/endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts'
import type { z } from '../../src/contract/zod.ts'
import { listenInTest } from '../harness/listen.ts'

/** In place of a status: the server never answers. */
const HELD = -1

interface Answer {
  status: number
  text: string
}

interface Recorded {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: unknown
}

/** A real HTTP server, until the test ends. It answers calls with bodies that match the contract, and all other calls with 404. */
export async function startApiServer() {
  const answers = new Map<string, Answer[]>()
  const requests: Recorded[] = []

  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const { method = '', url = '', headers } = request
      requests.push({
        method,
        path: url,
        headers,
        body: text === '' ? undefined : JSON.parse(text),
      })
      const { status, text: answer } = takeAnswer(`${method} ${url.split('?')[0] ?? ''}`)
      if (status === HELD) return
      if (status === 0) response.destroy()
      else response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
    })
  })

  /** Takes the next answer of a list; the last one answers all later calls. */
  function takeAnswer(call: string): Answer {
    const key = [...answers.keys()].find((pattern) => matches(pattern, call))
    const list = key === undefined ? [] : (answers.get(key) ?? [])
    const answer = list.length > 1 ? list.shift() : list[0]
    return answer ?? failure('NOT_FOUND', 'There is nothing at this address.')
  }

  function add(endpoint: Endpoint, answer: Answer) {
    const key = `${endpoint.method} ${endpoint.path}`
    answers.set(key, [...(answers.get(key) ?? []), answer])
  }

  return {
    url: await listenInTest(server),
    requests,
    /** Adds a success for a call. Each call takes the next answer; the last one repeats. */
    answer: <S extends z.ZodType>(
      endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, S>,
      data: Omit<z.input<S>, 'success'>,
    ) => {
      const body = endpoint.success.parse({ success: true, ...data })
      add(endpoint, { status: 200, text: JSON.stringify(body) })
    },
    refuse: (endpoint: Endpoint, code: ErrorCode, message: string, errors?: FieldError[]) => {
      add(endpoint, failure(code, message, errors))
    },
    /** Adds an answer with any status and text, even one that breaks the contract. */
    answerRaw: (endpoint: Endpoint, status: number, text: string) => {
      add(endpoint, { status, text })
    },
    /** Closes the connection without an answer. */
    cutOff: (endpoint: Endpoint) => {
      add(endpoint, { status: 0, text: '' })
    },
    /** Never answers the call. */
    hold: (endpoint: Endpoint) => {
      add(endpoint, { status: HELD, text: '' })
    },
    forget: (endpoint: Endpoint) => answers.delete(`${endpoint.method} ${endpoint.path}`),
  }
}

function matches(pattern: string, call: string): boolean {
  const wanted = pattern.split('/')
  const got = call.split('/')
  return (
    wanted.length === got.length &&
    wanted.every((part, index) => part.startsWith('{') || part === got[index])
  )
}

function failure(code: ErrorCode, message: string, errors?: FieldError[]): Answer {
  const body = Failure.parse({
    success: false,
    code,
    message,
    requestId: 'req_test',
    ...(errors === undefined ? {} : { errors }),
  })
  return { status: ERROR_STATUS[code], text: JSON.stringify(body) }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
