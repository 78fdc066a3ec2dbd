import { HtmlValidate } from 'html-validate'
import { expect, inject, test } from 'vitest'
import { TERMS } from '../../../edge-api/domain/account/terms.ts'
import { brand } from '../../../site/brand.ts'
import { MAIN_PLAN, majorAmount, PLANS, TOKEN_PACK } from '../../../src/contract/catalogue.ts'
import { formatPrice } from '../../../src/lib/numbers.ts'
import { type Answer, newVisitor } from '../../harness/visitor.ts'
import { ALL_PATHS, PUBLIC_PATHS, TEXT_PATHS } from './pages.ts'

const visitor = newVisitor(inject('siteUrl'))

/** What the footer of a public page has besides. */
const ABOUT = [
  ['About', '/about'],
  ['Delivery', '/delivery'],
]

const SYSTEMS = ['macOS 10.15 or later', 'Windows 10/11']

const pages = new Map<string, Promise<Answer>>()

/** Reads a page, once for all tests. */
async function read(path: string) {
  const answer = pages.get(path) ?? visitor.call(path)
  pages.set(path, answer)
  const { status, body } = await answer
  return { status, html: String(body) }
}

// The texts come from one template: the first stands for all.
test('every page passes the HTML validator', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    rules: { 'long-title': 'off' },
  })
  const found: string[] = []
  const paths = [...ALL_PATHS, '/api/docs'].filter((one) => !TEXT_PATHS.slice(1).includes(one))
  for (const path of paths) {
    // Astro writes the style of islands before the first one, in the body.
    const html = (await read(path)).html.replace(/<style>astro-island[^<]*<\/style>/, '')
    const { results } = await validator.validateString(html)
    for (const { messages } of results) {
      found.push(...messages.map(({ ruleId, message }) => `${path} ${ruleId}: ${message}`))
    }
  }
  expect(found).toEqual([])
})

test('no internal link, file or anchor is dead', async () => {
  const targets = new Set<string>()
  for (const { html } of await Promise.all(ALL_PATHS.map(read))) {
    for (const [, target = ''] of html.matchAll(/\s(?:href|src)="(\/[^"]*|#[^"]+)"/g)) {
      if (!target.startsWith('//')) targets.add(target)
    }
  }
  const dead: string[] = []
  for (const target of targets) {
    const [path = '', anchor] = target.split('#')
    // The address of the preferences redirects to their tab (tests/e2e/settings.test.ts).
    if (path === '' || path === '/settings') continue
    const page = await read(path)
    if (page.status !== 200) dead.push(`${target}: ${page.status}`)
    if (anchor && !page.html.includes(`id="${anchor}"`)) dead.push(`${target}: no such anchor`)
  }
  expect(targets.size).toBeGreaterThan(20)
  expect(dead).toEqual([])
})

test('every public page has its metadata: title, description, canonical, share image', async () => {
  const titles = new Set<string>()
  for (const path of PUBLIC_PATHS) {
    const { html } = await read(path)
    const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? ''
    titles.add(title)
    expect(title.length, path).toBeLessThanOrEqual(65)
    const description = /<meta name="description" content="([^"]+)"/.exec(html)?.[1] ?? ''
    expect(description.length, `${path}: ${description}`).toBeGreaterThanOrEqual(50)
    expect(description.length, `${path}: ${description}`).toBeLessThanOrEqual(165)
    const canonical = /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1] ?? ''
    expect(new URL(canonical).pathname).toBe(path)
    const image = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''
    const drawn = await visitor.call(new URL(image).pathname)
    expect(drawn.headers.get('content-type'), path).toBe('image/png')
  }
  expect(titles.size).toBe(PUBLIC_PATHS.length)
})

test('pages of an account are kept out of search engines, and those on which one signs in are not', async () => {
  const signIn = ['/login', '/register', '/forgot-password']
  for (const path of signIn) expect((await read(path)).html).not.toContain('noindex')
  const isPublic = (path: string) => [...PUBLIC_PATHS, ...signIn].includes(path)
  for (const path of ALL_PATHS.filter((path) => !isPublic(path))) {
    const advice = `Add ${path} to site/seo/public-pages.ts if everybody may read it`
    expect((await read(path)).html, advice).toContain('<meta name="robots" content="noindex">')
  }
})

test('only signed-in people see the pages of an account, and only guests those on which one signs in', async () => {
  const found: Record<string, string[]> = {}
  for (const path of ALL_PATHS) {
    const guard = /data-guard="([^"]+)"/.exec((await read(path)).html)?.[1] ?? 'none'
    found[guard] = [...(found[guard] ?? []), path]
  }
  const { guest, 'signed-in': signedIn } = found
  expect(guest).toEqual(['/forgot-password', '/login', '/register', '/reset-password/x'])
  const [success, cancel] = ['/subscription/success', '/subscription/cancel']
  const pages = ['/dashboard', '/device', '/profile', '/receipt', cancel, success, '/tokens']
  expect(signedIn).toEqual(pages)
})

test('the footer of every page has the brand credit, its links and this year', async () => {
  const wordsOf = (html: string) =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  for (const path of ALL_PATHS) {
    const [footer = ''] = /<footer.*?<\/footer>/s.exec((await read(path)).html) ?? []
    expect(wordsOf(footer), path).toContain(`Made by ${brand.company}.`)
    const year = String(new Date().getFullYear())
    expect(wordsOf(footer), path).toContain(`© ${year} ${brand.legalEntity}`)
    const links = [...footer.matchAll(/<a [^>]*href="([^"]+)"[^>]*>(.*?)<\/a>/gs)]
    expect(
      links.map(([, href, inner = '']) => [wordsOf(inner), href]),
      path,
    ).toEqual(
      expect.arrayContaining([
        ['Videos', brand.videoChannelUrl],
        ['Pricing', '/subscription'],
        ['Careers Hiring', '/careers'],
        ['Contact Support', '/contact'],
        ...(PUBLIC_PATHS.includes(path) ? ABOUT : []),
        ['Terms', '/terms'],
        ['Privacy', '/privacy'],
        ['Refunds', '/refunds'],
        // Buyers in the EU have to find the withdrawal on every page.
        ['Withdraw from contract', '/profile?tab=subscription'],
      ]),
    )
  }
})

test('the landing page has 6 clips, 6 rotating features and 9 feature cards', async () => {
  const { html } = await read('/')
  expect(html.match(/<div class="clip"/g)).toHaveLength(6)
  for (const [list, count] of [
    [/<ol class="scenes".*?<\/ol>/s, 6],
    [/<ul class="nine".*?<\/ul>/s, 9],
  ] as const) {
    expect(list.exec(html)?.[0].match(/<li/g)).toHaveLength(count)
  }
})

test('sitemap, robots, llms.txt, feed, manifest and security.txt are there', async () => {
  const sitemap = await read('/sitemap.xml')
  for (const path of PUBLIC_PATHS) expect(sitemap.html).toContain(`${path}</loc>`)
  expect((await read('/robots.txt')).html).toContain('/sitemap.xml')
  expect((await read('/llms.txt')).html).toMatch(new RegExp(`^# ${brand.productName}\n`))
  expect((await read('/changelog.xml')).html).toContain('<rss version="2.0">')
  const { body: manifest } = await visitor.call('/manifest.webmanifest')
  expect(manifest).toMatchObject({ name: brand.productName, start_url: '/' })
  const security = (await read('/.well-known/security.txt')).html
  const expires = /^Expires: (.+)$/m.exec(security)?.[1] ?? ''
  expect(Date.parse(expires)).toBeGreaterThan(Date.now())
})

/** When each page last changed in a way that does not matter to users. Such a change makes no new version of the terms. */
const MINOR_CHANGES = { '/terms': '', '/privacy': '' }

test('the version of the terms that accounts accept is not older than the pages, but for a change that does not matter', async () => {
  for (const [path, minor] of Object.entries(MINOR_CHANGES)) {
    const [, changed = ''] =
      /Last changed <time datetime="([^"]+)"/.exec((await read(path)).html) ?? []
    expect(changed, path).not.toBe('')
    const advice = `${path} changed: if that matters to users, change TERMS (edge-api/domain/account/terms.ts), else MINOR_CHANGES`
    expect(changed <= TERMS.version || changed === minor, advice).toBe(true)
  }
})

/** What a page without scripts shows. */
async function mainOf(path: string): Promise<string> {
  const { html } = await read(path)
  return html.slice(html.indexOf('<main'))
}

test('without scripts the public pages read in full', async () => {
  const words: Record<string, string[]> = {
    '/': ['AI Interview Assistant', 'Management Questions', 'Follow-up', ...SYSTEMS],
    '/download': SYSTEMS,
    '/subscription': ['365 days', 'Token packs whenever you need more'],
    '/careers': ['Key Responsibilities', 'Preferred Qualifications', brand.careersEmail],
    '/contact': ['Sending this form needs JavaScript'],
    '/privacy': ['Information we collect', 'Razorpay'],
  }
  for (const [path, texts] of Object.entries(words)) {
    const main = await mainOf(path)
    expect(
      texts.filter((text) => !main.includes(text)),
      path,
    ).toEqual([])
  }
})

test('public pages name the prices of the catalogue, and no other', async () => {
  const prices = ({ priceMinor: { USD, INR } }: typeof TOKEN_PACK) => [
    formatPrice(majorAmount(USD), 'USD'),
    formatPrice(majorAmount(INR), 'INR'),
  ]
  const plans = PLANS.flatMap(prices)
  const all = [...plans, ...prices(TOKEN_PACK)]
  const named: Record<string, string[]> = {
    '/': plans,
    '/subscription': all,
    '/terms': all,
    '/changelog': all,
    '/refunds': prices(MAIN_PLAN).slice(0, 1),
  }
  for (const path of PUBLIC_PATHS) {
    const found = new Set((await mainOf(path)).match(/[$₹]\d+(?:[,.]?\d)*/g))
    expect([...found].toSorted(), path).toEqual((named[path] ?? []).toSorted())
  }
})
