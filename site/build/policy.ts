import { createHash } from 'node:crypto'

const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/g

/**
 * Puts all styles of a page into one element at the end of its head. Astro writes one into the body, where HTML allows
 * none, and the policy would list a hash for each.
 */
export function oneStyle(html: string): string {
  const texts = [...html.matchAll(STYLE)].map(([, text = '']) => text)
  return html
    .replaceAll(STYLE, '')
    .replace('</head>', () => `<style>${texts.join('')}</style></head>`)
}

/** Cloudflare ignores a longer line of `_headers`, and the page would have no policy. */
const LINE_MAX = 2_000

/** The rule of `_headers` that gives a page its policy instead of the one for all files. */
export function headerRule(fileName: string, text: string): string {
  const line = `  Content-Security-Policy: ${text}`
  if (line.length > LINE_MAX)
    throw new Error(
      `The policy of ${fileName} has ${text.length} characters: use fewer inline blocks`,
    )
  const path = `/${fileName.replace(/\.html$/, '').replace(/^index$/, '')}`
  return `\n${path}\n  ! Content-Security-Policy\n${line}\n`
}

/**
 * `_headers` with one more rule. Cloudflare applies only the last of two rules with one path, so the rule takes over
 * the file's headers for that path.
 */
export function withRule(headers: string, rule: string): string {
  const [, path = '', ...lines] = rule.split('\n')
  const known = `\n${path}\n`
  return headers.includes(known)
    ? headers.replace(known, () => known + lines.join('\n'))
    : headers + rule
}

/** The origins that Razorpay's checkout needs. Only pages with the payment window allow them. */
const CHECKOUT = {
  'script-src': 'https://checkout.razorpay.com https://cdn.razorpay.com',
  'frame-src': 'https://api.razorpay.com https://checkout.razorpay.com',
  'connect-src':
    'https://api.razorpay.com https://checkout.razorpay.com https://lumberjack.razorpay.com https://lumberjack-cx.razorpay.com https://lumberjack-metrics.razorpay.com',
  'img-src': 'https://cdn.razorpay.com',
  'form-action': 'https://api.razorpay.com',
} as const

/** Pages that open the payment window: plans, and the dashboard with its token packs. */
const PAYING_PAGES = new Set(['subscription.html', 'dashboard.html'])

/**
 * The content security policy of a built page. It allows files of this site, and inline blocks by their hash.
 * `emulator` lists the origins of the payment emulator; it is empty for deployed pages.
 */
export function policyFor(fileName: string, html: string, emulator = ''): string {
  const pays = PAYING_PAGES.has(fileName)
  const also = (directive: keyof typeof CHECKOUT) =>
    pays ? ` ${CHECKOUT[directive]} ${emulator}`.trimEnd() : ''
  const styles = pays ? " 'unsafe-inline'" : hashes(html, STYLE)
  return [
    "default-src 'self'",
    `script-src 'self'${hashes(html, INLINE_SCRIPT)}${also('script-src')}`,
    `style-src 'self'${styles}`,
    ...(pays ? [`frame-src${also('frame-src')}`, `connect-src 'self'${also('connect-src')}`] : []),
    `img-src 'self' data:${also('img-src')}`,
    `form-action 'self'${also('form-action')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'report-uri /api/csp-report',
  ].join(';')
}

/** Scripts that run: without `src`, and not a data block such as JSON-LD. */
const INLINE_SCRIPT =
  /<script(?![^>]*\ssrc=)(?![^>]*application\/ld\+json)[^>]*>([\s\S]*?)<\/script>/g

function hashes(html: string, block: RegExp): string {
  const found = [...html.matchAll(block)].map(([, text = '']) => text)
  return [...new Set(found)]
    .map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join('')
}
