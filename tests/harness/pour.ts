import { request } from 'node:http'
import type { Answer } from './visitor.ts'

export interface Flood {
  method: string
  headers?: Record<string, string>
  /** What the request says of its length; left out, it comes in chunks without one. */
  declaredBytes?: number
  sentBytes: number
}

/** Sends a huge JSON body, but only as much of it as is told, and takes whatever is answered meanwhile. */
export function pour(
  url: URL,
  { method, headers, declaredBytes, sentBytes }: Flood,
): Promise<Answer> {
  const length = declaredBytes === undefined ? {} : { 'content-length': String(declaredBytes) }
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method,
      agent: false,
      headers: { 'content-type': 'application/json', ...length, ...headers },
    })
    sending.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (bytes: Buffer) => chunks.push(bytes))
      const finish = () => {
        const text = Buffer.concat(chunks).toString()
        const seen = new Headers({ 'x-request-id': String(response.headers['x-request-id'] ?? '') })
        resolve({ status: response.statusCode ?? 0, headers: seen, body: JSON.parse(text) })
        sending.destroy()
      }
      response.once('end', finish)
      response.once('error', reject)
    })
    sending.on('error', reject)
    sending.write(`{"email":"${'a'.repeat(sentBytes)}`)
  })
}
