import { expect, test } from 'vitest'
import { FIRST_FLIGHT_BYTES } from '../../tools/bench/budgets.ts'
import { createMember } from '../harness/member.ts'
import { openPage } from '../harness/open-page.ts'
import { visitor } from '../harness/visitor.ts'
import { ALL_PATHS, PUBLIC_PATHS, TEXT_PATHS } from './site/pages.ts'
import { BUY } from './support/checkout.ts'
import { holdScripts } from './support/hold.ts'
import { personWithPlan, signInBrowser } from './support/person.ts'
import {
  compressed,
  expectAppPages,
  expectFirstFlight,
  expectGuestForms,
  expectLateScripts,
  expectPublicPages,
  isFilm,
  isReact,
  isScript,
  load,
  mostScript,
  mostScripts,
  scriptsNamed,
  sum,
} from './support/weight.ts'

/** The scripts that the foot of a page loads late, which are all that its readers load. */
const LATE = /\(\[([^\]]*)\],\d+\);<\/script><\/body>/

// What the browser loads of every page: budgets.night.test.ts.
test('every page names no more JavaScript than it may load, with all imports in the head where it loads at once; public pages fit the first flight, and those of text name the same files', async () => {
  const filesOfTexts = new Set<string>()
  for (const path of [...ALL_PATHS, '/desk']) {
    const { headers, body } = await visitor().call(path)
    const html = String(body)
    const late = LATE.exec(html)?.[1]
    const scripts = scriptsNamed(late ?? html)
    expect(scripts, path).not.toEqual([])
    expect(sum(scripts), path).toBeLessThanOrEqual(mostScript(path))
    const isUnnamed = (one: string) =>
      !html.includes(`rel="modulepreload" fetchpriority="low" href="${one}"`)
    if (late === undefined) {
      expect(scripts.map((one) => one.path).filter(isUnnamed), path).toEqual([])
    }
    if (html.includes('data-guard="signed-in"')) {
      expect(scripts.length, path).toBeLessThanOrEqual(mostScripts(path))
    }
    if (!PUBLIC_PATHS.includes(path)) continue
    const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const bytes = compressed(Buffer.from(html)) + head.length
    expect(bytes, path).toBeLessThanOrEqual(FIRST_FLIGHT_BYTES)
    expect(html, path).not.toContain('rel="stylesheet"')
    if (!TEXT_PATHS.includes(path)) continue
    const named =
      html.match(/(?<=["'`(])\/[\w./-]+\.(?:js|css|woff2|svg|png|webp|avif|webm)/g) ?? []
    filesOfTexts.add(named.sort().join(' '))
  }
  expect([...filesOfTexts]).toEqual([expect.stringContaining('.js')])
})

test('public pages stay within their budgets of bytes and requests', () =>
  expectPublicPages([...TEXT_PATHS.slice(0, 1), '/download', '/subscription']))

test('the landing page of a phone: few requests, a small script after the paint, no React for its films', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference', width: 412, height: 823 })
  await signInBrowser(page, (await createMember()).bearer)
  const loaded = await load(page, '/')
  await expectFirstFlight(page, '/', loaded)
  const early = loaded.filter(({ path }) => !path.startsWith('/_astro/') && !isFilm(path))
  expect(early.length, early.map(({ path }) => path).join(' ')).toBeLessThanOrEqual(6)
  expect(sum(early)).toBeLessThanOrEqual(60_000)
  expect(loaded.filter(({ path }) => path.endsWith('.avif'))).toHaveLength(1)
  expect(sum(loaded.filter(({ path }) => isScript(path)))).toBeLessThanOrEqual(mostScript('/'))
  const { poster } = await expectLateScripts(page)
  expect(poster).toContain('/clips/ai-interview-assistant')

  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  expect(asked.filter(isReact)).toEqual([])
  await page.getByRole('button', { name: 'Next film' }).click()
  await expect.poll(() => asked.filter(isReact)).not.toEqual([])
})

test('forms of guests load little script, after their paint, until somebody uses them', () =>
  expectGuestForms(['/login']))

/** The pages of an account by the calls of their first screen, which the head sends, and what the HTML shows of it. */
const FIRST_SCREENS = {
  '/dashboard': {
    calls: ['/api/auth/me', '/api/payment/purchases', '/api/usage'],
    shown: ['1,000,000 tokens left', 'Your plan'],
  },
  '/profile': { calls: ['/api/auth/me'], shown: ['Account settings', 'Security'] },
  '/tokens': { calls: ['/api/auth/me', '/api/usage/statement'], shown: [] },
  '/subscription': {
    calls: ['/api/auth/me', '/api/subscription/plans-with-pricing'],
    shown: ['Buy a token pack'],
  },
}

test('pages of an account send the calls of their first screen, and show headings, tabs, placeholders and the tokens left, before any script has arrived', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWithPlan()).bearer)
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
    expect(await page.getByRole('button', { name: BUY }).count()).toBe(0)
  }
  release()
})

test('the pages of an account load no more JavaScript than their budget, and ask for the session once', async () => {
  const { bearer } = await personWithPlan()
  await expectAppPages(['/dashboard', '/profile?tab=subscription', '/subscription'], bearer)
})
