import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brand } from '../../site/brand.ts'
import { PURCHASE } from '../../src/contract/messages.ts'
import { root } from '../../tools/launcher/settings.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import { type Site, startSite } from '../harness/services.ts'
import { newVisitor } from '../harness/visitor.ts'
import { createUser } from '../harness/user.ts'
import { controlOf } from '../harness/fixture/razorpay.ts'
import { checkoutFrame, PAID, payByCard, PRICE } from './support/checkout.ts'
import { FAILED } from './support/console-errors.ts'
import { expectPath, openAs } from './support/user.ts'

// A new owner edits site/brand.ts and runs `npm run artwork`; another plan is one entry of the catalogue. Here both are
// done in a copy of the tree.

const { productName, colour } = brand
const OLD = [productName, colour.ink, colour.marker, colour.dark.marker]
const TEAL = { light: '#9fe3da', dark: '#2dd4bf' }

const copy = scratchFolder('rebrand')
let site: Site

const TREE = [
  ...['site', 'src', 'edge-api', 'public', 'tools', 'tests'],
  ...['astro.config.mjs', 'wrangler.toml', 'tsconfig.json', 'package.json', 'package-lock.json'],
]

const TEAM = `
  {
    sku: 'team',
    kind: 'plan',
    name: 'Team',
    tokens: 5_000_000,
    accessDays: 30,
    priceMinor: { USD: 9_900, INR: 799_900 },
    features: ['5,000,000 AI tokens'],
  },
]`

beforeAll(async () => {
  for (const path of TREE) cpSync(join(root, path), join(copy.path, path), { recursive: true })
  for (const path of ['node_modules', '.tools']) {
    symlinkSync(join(root, path), join(copy.path, path))
  }
  edit('site/brand.ts', (text) =>
    text
      .replaceAll(productName, 'Murmur')
      .replaceAll(productName.toLowerCase(), 'murmur')
      .replaceAll(`ink: '${colour.ink}'`, `ink: '#102030'`)
      .replaceAll(`onMarker: '${colour.onMarker}'`, `onMarker: '#03211d'`)
      .replace(`marker: '${colour.marker}'`, `marker: '${TEAL.light}'`)
      .replace(`marker: '${colour.dark.marker}'`, `marker: '${TEAL.dark}'`),
  )
  edit('src/contract/catalogue.ts', (text) =>
    text.replace(/(?<=export const PLANS[^]*?\n {2}\},)[^]*?\n\]/, TEAM),
  )
  const drawn = await run(DRAW)
  expect(drawn).toContain('stale: images,photographs,films')
  expect(drawn).toContain('then: photographs,films')
  await run(BUILD)
  site = await startSite({ dist: join(copy.path, 'dist') })
}, 240_000)

afterAll(async () => {
  await site.stop()
  copy.remove()
})

function edit(path: string, change: (text: string) => string) {
  const file = join(copy.path, path)
  const text = readFileSync(file, 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error(`nothing changed in ${path}`)
  writeFileSync(file, changed)
}

/** Not through tools/launch.mjs, which installs packages: the copy uses ours. */
const BUILD = `
import { ensureBuilt } from './tools/launcher/build.ts'
await ensureBuilt()`

/** Films and photographs, which take minutes, are only found to be stale. */
const DRAW = `
import { artwork, staleArtwork } from './tools/artwork/artwork.ts'
console.log('stale:', staleArtwork().join())
await artwork(['images'])
console.log('then:', staleArtwork().join())`

/** Runs a script in the copy, and returns what it printed. */
async function run(script: string): Promise<string> {
  const running = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: copy.path,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (bytes: Buffer) => {
    output += bytes.toString()
  }
  running.stdout.on('data', keep)
  running.stderr.on('data', keep)
  const [code] = await once(running, 'close')
  expect(code, output).toBe(0)
  return output
}

/** The old name or a colour with the text around it; in an address of data, "#" is escaped. */
function mentions(text: string): string[] {
  const old = new RegExp(`.{0,40}(${OLD.join('|').replaceAll('#', '')}).{0,40}`, 'gi')
  return [...text.matchAll(old)].map(([match]) => match)
}

test('no page, script or other built file keeps the old name or colour', () => {
  const client = join(copy.path, 'dist/client')
  const files = globSync('**/*.{html,js,css,xml,txt,json,webmanifest,svg,vtt}', { cwd: client })
  expect(files.length).toBeGreaterThan(40)
  const found = files.flatMap((file) =>
    mentions(readFileSync(join(client, file), 'utf8')).map((match) => `${file}: ${match}`),
  )
  expect(found).toEqual([])
})

test.each(['icon-192.png', 'icon-512.png', 'apple-touch-icon.png', 'favicon.ico', 'og/home.png'])(
  '%s is drawn with the new accent',
  (file) => {
    const bytes = readFileSync(join(copy.path, 'dist/client', file))
    // An ICO file holds its picture behind 22 bytes.
    const { data } = PNG.sync.read(file.endsWith('.ico') ? bytes.subarray(22) : bytes)
    const pixels = (hex: string) =>
      data
        .toString('hex')
        .match(/.{8}/g)
        ?.filter((pixel) => pixel === `${hex.slice(1)}ff`).length
    expect(pixels(colour.marker)).toBe(0)
    expect(pixels(file.startsWith('og/') ? TEAL.light : TEAL.dark)).toBeGreaterThan(20)
  },
)

test('no description, mail, checkout, receipt or answer keeps the old name or colour, and the second plan is sold', async () => {
  const { worker, sqld, emulator } = site
  const visitor = newVisitor(worker.url)
  const read = async (path: string) => JSON.stringify((await visitor.call(path)).body)
  const plans = await read('/api/subscription/plans-with-pricing?currency=INR')
  expect(plans).toContain('"Team"')
  expect(await read('/api/subscription/plan-amounts?currency=USD')).toContain('"team":99')
  expect(readFileSync(join(copy.path, 'dist/client/subscription.html'), 'utf8')).toContain('Team')

  await visitor.call('/api/support/submit', {
    json: { email: 'ada@example.test', query: 'Hello' },
  })
  const buyer = await createUser({ siteUrl: worker.url, databaseUrl: sqld.url })
  const order = { planType: 'team', amount: 99, preferredCurrency: 'USD' }
  const checkout = await buyer.call('/api/payment/create-order', { json: order })
  const { order: made, purchaseId } = Object(checkout.body)
  await controlOf(emulator.url).pay(String(made.id))
  const bought = { subscription: { status: 'active' }, tokens: { total: 5_000_000 } }
  const balance = async () => (await buyer.call('/api/subscription/current')).body
  await expect.poll(balance).toMatchObject(bought)
  const receipt = await buyer.call(`/api/payment/receipts/${purchaseId}`)
  expect(receipt.status).toBe(200)
  const me = await buyer.call('/api/auth/me')
  const mails = await read('/__local/mail.json')
  expect(mails).toContain('Murmur Team')
  const answers = {
    plans,
    mails,
    checkout: JSON.stringify(checkout.body),
    receipt: JSON.stringify(receipt.body),
    me: JSON.stringify(me.body),
    description: await read('/api/openapi.json'),
    page: await read('/api/docs'),
  }
  for (const [name, text] of Object.entries(answers)) expect(mentions(text), name).toEqual([])
})

test.each([
  { name: 'Pro', other: 'Team', price: PRICE.USD, paid: PAID.USD },
  { name: 'Team', other: 'Pro', price: '$99', paid: '$99.00' },
])('a buyer of $name sees how it goes on its own card, pays, and has its receipt', async (plan) => {
  const { worker, sqld } = site
  const buyer = await createUser({ siteUrl: worker.url, databaseUrl: sqld.url })
  const { page } = await openAs(buyer.bearer, '/subscription', {
    siteUrl: worker.url,
    mayLog: FAILED,
  })
  const card = (name: string) => page.getByRole('article', { name, exact: true })
  const buy = (name: string) => card(name).getByRole('button', { name: `Buy ${name}` })
  const [left, right] = [await card('Pro').boundingBox(), await card('Team').boundingBox()]
  expect(left?.y).toBe(right?.y)
  await card(plan.name).getByText(plan.price, { exact: true }).waitFor()

  const order = '**/api/payment/create-order'
  await page.route(order, (route) => route.abort())
  await buy(plan.name).click()
  const failure = PURCHASE.paymentError(PURCHASE.paymentOrderFailed)
  await card(plan.name).getByText(failure).waitFor()
  expect(await card(plan.other).getByText(failure).count()).toBe(0)
  await page.unroute(order)

  await buy(plan.name).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
  const waiting = { name: 'Waiting for your payment…', includeHidden: true }
  expect(await page.getByRole('button', waiting).count()).toBe(1)
  expect(await card(plan.other).getByText(`Buy ${plan.other}`).count()).toBe(1)
  await payByCard(page)
  await expectPath(page, '/subscription/success')
  await page.getByRole('link', { name: /^R-/ }).waitFor()
  expect(await page.locator('.bought').innerText()).toContain(plan.paid)
  await page.goto('/dashboard')
  await page.locator('.panel-lead', { hasText: plan.name }).waitFor()
})

test('texts, description and structured data name both plans', () => {
  const read = (path: string) => readFileSync(join(copy.path, 'dist/client', path), 'utf8')
  const plans = read('subscription.html')
  expect(plans).toContain(
    `content="Murmur ${PRICE.USD} or ${PRICE.INR} for Pro, $99 or ₹7,999 for Team: each paid`,
  )
  for (const price of [99, 7999]) expect(plans).toContain(`"price":${price},`)
  for (const page of ['subscription.html', 'terms.html', 'index.html']) {
    expect(read(page), page).toContain('Team')
  }
})
