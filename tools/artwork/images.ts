import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { brand } from '../../site/brand.ts'
import { findBrowser } from '../../tests/harness/find-browser.ts'

const PUBLIC = new URL('../../public/', import.meta.url)
const { paper, ink, line, marker, dark } = brand.colour

/** The title on the share image of each page (`image` of site/layouts/Base.astro), in one or two lines. */
export const TITLES = {
  home: ['A line only', 'you can see'],
  download: ['Download', 'for macOS and Windows'],
  subscription: ['Pay once.', 'Use it for a year.'],
  careers: ['Join Our Mission'],
  contact: ['Contact Support'],
  privacy: ['Privacy'],
  terms: ['Terms'],
  refunds: ['Refunds'],
  security: ['Security'],
  changelog: ['Changelog'],
}

const ICONS = { 'icon-192.png': 192, 'icon-512.png': 512, 'apple-touch-icon.png': 180 }

const font = readFileSync(new URL('fonts/bricolage.woff2', PUBLIC)).toString('base64')
const style = `<style>
  @font-face { font-family: Bricolage; src: url(data:font/woff2;base64,${font}) }
  text { font-family: Bricolage; letter-spacing: -0.022em }
</style>`

function text(words: string, x: number, y: number, size: number, fill: string = ink): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}">${words}</text>`
}

/** An Open Graph image of 1200 × 630: the page's title, and the overlay in front of a shared screen. */
function shareImage(lines: readonly string[]): string {
  const bars = [120, 210, 168, 250, 96].map(
    (width, index) =>
      `<rect x="600" y="${486 + index * 34}" width="${width}" height="12" rx="6" fill="${line}"/>`,
  )
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">',
    `${style}<rect width="1200" height="630" fill="${paper}"/>`,
    `<rect x="560" y="420" width="760" height="360" rx="18" fill="#ffffff" stroke="${line}" stroke-width="2"/>`,
    `<path d="M560 456h760" stroke="${line}" stroke-width="2"/>`,
    ...bars,
    `<rect x="718" y="446" width="402" height="164" rx="20" fill="${dark.paper}" stroke="${dark.muted}" stroke-width="2.5" stroke-dasharray="9 7"/>`,
    `<circle cx="756" cy="488" r="6" fill="${marker}"/>`,
    text('only you see this', 774, 497, 26, dark.ink),
    '<g fill="#8d887d"><rect x="750" y="530" width="300" height="12" rx="6"/><rect x="750" y="562" width="210" height="12" rx="6"/></g>',
    `<rect x="970" y="556" width="86" height="24" rx="5" fill="${marker}"/>`,
    '<g transform="translate(80 82) scale(2)">',
    `<rect x="1" y="1" width="22" height="18" rx="5" fill="none" stroke="${ink}" stroke-width="1.75" stroke-dasharray="3.6 2.6"/>`,
    `<rect x="6" y="7" width="12" height="6" rx="1.5" fill="${marker}"/></g>`,
    text(brand.productName, 142, 118, 44),
    ...lines.map((line, index) => text(line, 76, 264 + index * 105.84, 98)),
    '</svg>',
  ].join('')
}

/** The app's icon. It fills its square, and its drawing keeps to the inner 80 %, so that a mask cuts nothing off. */
function icon(size: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 64 64"><rect width="64" height="64" fill="${dark.paper}"/><rect x="12" y="17" width="40" height="30" rx="8" fill="none" stroke="${paper}" stroke-width="2.75" stroke-dasharray="6.2 4.3"/><rect x="21" y="27" width="22" height="10" rx="2.5" fill="${dark.marker}"/></svg>`
}

/** An ICO file with one picture, a PNG of 32 × 32: a header of 6 bytes, an entry of 16, then the PNG. */
function icoFromPng(png: Buffer): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(32, 6)
  head.writeUInt8(32, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.byteLength, 14)
  head.writeUInt32LE(head.byteLength, 18)
  return Buffer.concat([head, png])
}

async function draw(page: Page, svg: string): Promise<Buffer> {
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`)
  await page.evaluate(() => document.fonts.ready)
  return page.locator('svg').screenshot()
}

/** Draws the images that other programs request from the site into public/: share images and icons. */
export async function drawImages(): Promise<void> {
  const { executablePath, args, env } = await findBrowser()
  const browser = await chromium.launch({
    executablePath,
    args: [...args, '--force-color-profile=srgb'],
    env,
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
    mkdirSync(new URL('og/', PUBLIC), { recursive: true })
    for (const [name, lines] of Object.entries(TITLES)) {
      writeFileSync(new URL(`og/${name}.png`, PUBLIC), await draw(page, shareImage(lines)))
    }
    for (const [name, size] of Object.entries(ICONS)) {
      writeFileSync(new URL(name, PUBLIC), await draw(page, icon(size)))
    }
    writeFileSync(new URL('favicon.ico', PUBLIC), icoFromPng(await draw(page, icon(32))))
  } finally {
    await browser.close()
  }
}
