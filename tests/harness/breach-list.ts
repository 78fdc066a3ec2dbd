import { createServer, type ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import { listen, stopServer } from './listen.ts'

type Answer = (response: ServerResponse, prefix: string) => void

export interface BreachList {
  url: string
  /** Sets how it answers all later requests. */
  answers: (answer: Answer) => void
  /** Address and headers of every request so far. */
  asked: { path: string; padding: string | undefined }[]
  stop: () => Promise<void>
}

export function sha1Of(password: string): string {
  return createHash('sha1').update(password).digest('hex').toUpperCase()
}

/** The lines of an answer that counts this password, among other hashes and padding. */
export function rangeOf(password: string, count: number): string {
  const own = `${sha1Of(password).slice(5)}:${count}`
  return [own, `${'0'.repeat(35)}:7`, `${'F'.repeat(35)}:0`].join('\r\n')
}

/** A list of breached passwords. It speaks the "range" call of Have I Been Pwned, or answers as a test says. */
export async function startBreachList(): Promise<BreachList> {
  let answer: Answer = (response) => response.end()
  const asked: BreachList['asked'] = []
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request
    asked.push({ path, padding: headers['add-padding']?.toString() })
    answer(response, path.split('/').at(-1) ?? '')
  })
  return {
    url: await listen(server),
    answers: (next) => {
      answer = next
    },
    asked,
    stop: () => stopServer(server),
  }
}
