import { createHash } from 'node:crypto'

/** What Razorpay's checkout needs (razorpay.md, B3.7), on the page where one pays and nowhere else. */
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
 * The policy of a built page: its own files, and its inline blocks by their hash. `standIn` is what stands in for the
 * payment provider on a developer's machine; production pages are built without it.
 */
export function policyFor(fileName: string, html: string, standIn = ''): string {
  const pays = PAYING_PAGES.has(fileName)
  const also = (directive: keyof typeof CHECKOUT) =>
    pays ? ` ${CHECKOUT[directive]} ${standIn}`.trimEnd() : ''
  const styles = pays ? " 'unsafe-inline'" : hashes(html, /<style[^>]*>([\s\S]*?)<\/style>/g)
  return [
    "default-src 'self'",
    `script-src 'self'${hashes(html, INLINE_SCRIPT)}${also('script-src')}`,
    `style-src 'self'${styles}`,
    ...(pays ? [`frame-src${also('frame-src')}`, `connect-src 'self'${also('connect-src')}`] : []),
    `img-src 'self' data:${also('img-src')}`,
    `form-action 'self'${also('form-action')}`,
    "object-src 'none'",
    "base-uri 'none'",
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
