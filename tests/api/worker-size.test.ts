import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { WORKER_START_BYTES } from '../../tools/bench/budgets.ts'
import { root } from '../../tools/launcher/settings.ts'

/** Static imports and re-exports of a module of the Worker. */
const IMPORT = /(?:\bfrom|\bimport)\s*["'](\.[^"']+\.mjs)["']/g

/** The modules of the built Worker: those that it evaluates at its start, and those that a call loads. */
function workerModules() {
  const server = join(root, 'dist/server')
  const all = globSync('**/*.mjs', { cwd: server }).map((path) => join(server, path))
  const atStart = new Set([join(server, 'entry.mjs')])
  // A Set visits the entries that are added to it during the loop.
  for (const file of atStart) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      atStart.add(join(dirname(file), path))
    }
  }
  return { atStart: [...atStart], later: all.filter((file) => !atStart.has(file)) }
}

test('what an isolate reads before its first answer stays within its budget', () => {
  const advice = 'load what few calls want when they want it'
  const files = workerModules().atStart.map((file) => readFileSync(file))
  // Cloudflare counts the bytes after gzip.
  expect(gzipSync(Buffer.concat(files)).length, advice).toBeLessThanOrEqual(WORKER_START_BYTES)
})

test('the SDK, the libraries of the second step and the common passwords are loaded when needed, the description never', () => {
  const { atStart, later } = workerModules()
  const texts = (files: string[]) => files.map((file) => readFileSync(file, 'utf8')).join('\n')
  expect(later.map((file) => basename(file)).length).toBeGreaterThan(3)
  for (const mark of ['pmWKig5fjKJHJABwpyQAQiziOa', 'otpauth://', 'AxiosError']) {
    expect(texts(later)).toContain(mark)
    expect(texts(atStart)).not.toContain(mark)
  }
  expect(texts([...atStart, ...later])).not.toContain('razorpaySignature')
})
