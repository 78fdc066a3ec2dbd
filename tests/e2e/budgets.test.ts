import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { PAGE_BYTES, scriptBytes } from '../../tools/bench/budgets.ts'
import { EDGE_BROTLI } from '../../tools/bench/compressed-server.ts'
import { root } from '../../tools/launcher/settings.ts'
import { openPage } from '../harness/open-page.ts'
import { visitor } from '../harness/visitor.ts'
import { ALL_PATHS, TEXT_PATHS } from './site/pages.ts'
import { holdScripts } from './support/hold.ts'
import { userWithPlan, signInBrowser } from './support/user.ts'

const IMPORT = /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g

const compressed = (data: Buffer | string) => brotliCompressSync(data, EDGE_BROTLI).length

/** The bytes of all scripts that a page names, with all that they import. */
function scriptsOf(html: string): number {
  const paths = new Set(html.match(/\/_astro\/[\w.-]+\.js/g))
  let sum = 0
  // A Set visits the entries that are added to it during the loop.
  for (const path of paths) {
    const script = readFileSync(join(root, 'dist/client', path))
    sum += compressed(script)
    for (const [, name = ''] of script.toString().matchAll(IMPORT)) paths.add(`/_astro/${name}`)
  }
  return sum
}

test('every page stays within its budgets of HTML and JavaScript', async () => {
  for (const path of ALL_PATHS) {
    const html = String((await visitor().call(path)).body)
    expect(compressed(html), path).toBeLessThanOrEqual(PAGE_BYTES)
    expect(scriptsOf(html), path).toBeLessThanOrEqual(scriptBytes(path))
  }
})

test('who only reads loads no React', async () => {
  const { page } = await openPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const path of ['/', ...TEXT_PATHS.slice(0, 2)])
    await page.goto(path, { waitUntil: 'networkidle' })
  expect(asked.filter((path) => /\/_astro\/(client|react)\./.test(path))).toEqual([])
})

/** The pages of an account by the calls of their first screen, which the head sends, and what the HTML shows of it. */
const FIRST_SCREENS = {
  '/dashboard': {
    calls: ['/api/auth/me', '/api/payment/purchases', '/api/usage'],
    shown: ['Your plan'],
  },
  '/profile': { calls: ['/api/auth/me'], shown: ['Account settings', 'Security'] },
  '/tokens': { calls: ['/api/auth/me', '/api/usage/statement'], shown: [] },
  '/subscription': {
    calls: ['/api/auth/me', '/api/payment/purchases', '/api/subscription/plans-with-pricing'],
    shown: [],
  },
}

test('pages of an account send the calls of their first screen, and show headings, tabs and placeholders, before any script has arrived', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await userWithPlan()).bearer)
  const release = await holdScripts(page)
  let asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const [path, { calls, shown }] of Object.entries(FIRST_SCREENS)) {
    asked = []
    await page.goto(path, { waitUntil: 'commit' })
    const early = () => asked.filter((one) => /^\/api\/(?!announcement)/.test(one)).sort()
    await expect.poll(early, { message: path }).toEqual(calls)
    for (const text of shown) {
      await page.getByText(text).filter({ visible: true }).first().waitFor()
    }
  }
  release()
})
