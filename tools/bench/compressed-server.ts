import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { extname, join, normalize } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webm': 'video/webm',
  '.mp4': 'video/mp4',
  '.vtt': 'text/vtt',
}

const COMPRESSED = new Set([
  '.html',
  '.js',
  '.css',
  '.json',
  '.svg',
  '.xml',
  '.txt',
  '.webmanifest',
])

/** What an edge does on the fly: Brotli at level 4. */
export function compress(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
}

/**
 * Serves the built pages as the edge does: clean addresses, Brotli level 4, long life for hashed files. What is under
 * /api/ is handed on to the Worker at `workerUrl`.
 */
export function serveCompressed(folder: string, port: number, workerUrl: string): Promise<Server> {
  const kept = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path.startsWith('/api/')) {
      handOn(request, response, workerUrl)
      return
    }
    const file = findFile(folder, path)
    if (file === null) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"success":false}')
      return
    }
    const type = extname(file)
    const isCompressed = COMPRESSED.has(type)
    const body = kept.get(file) ?? read(file, isCompressed)
    kept.set(file, body)
    response.writeHead(200, {
      'content-type': TYPES[type] ?? 'application/octet-stream',
      'content-length': body.length,
      'cache-control': path.startsWith('/_astro/')
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=0, must-revalidate',
      etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`,
      ...(isCompressed ? { 'content-encoding': 'br', vary: 'accept-encoding' } : {}),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => {
      resolve(server)
    })
  })
}

function handOn(from: IncomingMessage, to: ServerResponse, workerUrl: string) {
  const { method, headers, url = '/' } = from
  const onward = ask(new URL(url, workerUrl), { method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(to)
  })
  onward.on('error', () => {
    to.writeHead(502).end()
  })
  from.pipe(onward)
}

function read(file: string, isCompressed: boolean): Buffer {
  const bytes = readFileSync(file)
  return isCompressed ? compress(bytes) : bytes
}

function findFile(folder: string, path: string): string | null {
  const base = join(folder, normalize(decodeURIComponent(path)))
  if (!base.startsWith(folder)) return null
  const candidates = [base, `${base}.html`, join(base, 'index.html')]
  return candidates.find((file) => existsSync(file) && statSync(file).isFile()) ?? null
}
