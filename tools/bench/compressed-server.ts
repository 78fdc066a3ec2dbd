import { createServer, request as ask } from 'node:http'
import { constants, createBrotliCompress } from 'node:zlib'
import { freePort } from '../services/ports.ts'

/** The compression of an edge on the fly: Brotli at level 4. */
export const EDGE_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const TEXT = /^text\/|json|javascript|svg|xml/

/** A proxy before the site that compresses text answers as an edge does. */
export async function serveCompressed(
  siteUrl: string,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((from, to) => {
    const { method, url = '/', headers } = from
    const options = { method, headers: { ...headers, 'accept-encoding': 'identity' } }
    const onward = ask(new URL(url, siteUrl), options, (answer) => {
      const isText = TEXT.test(answer.headers['content-type'] ?? '')
      if (!isText || method === 'HEAD') {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
        return
      }
      const headers = { ...answer.headers, 'content-encoding': 'br' }
      delete headers['content-length']
      to.writeHead(answer.statusCode ?? 502, headers)
      answer.pipe(createBrotliCompress(EDGE_BROTLI)).pipe(to)
    })
    onward.on('error', () => {
      to.writeHead(502).end()
    })
    from.pipe(onward)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://localhost:${port}`, close: () => server.close() }
}
