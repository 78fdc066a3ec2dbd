import { readFileSync } from 'node:fs'

const types = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
} as const

function asset(path: string, type: keyof typeof types) {
  const text = readFileSync(new URL(`../${path}.${type}`, import.meta.url), 'utf8')
  return { text, type: types[type] }
}

/** The files a browser loads, by their path. Read once, at start. */
export const assets = new Map([
  ['/checkout/v1/checkout.js', asset('checkout/checkout', 'js')],
  ['/checkout/frame', asset('checkout/frame', 'html')],
  ['/checkout/frame.js', asset('checkout/frame', 'js')],
  ['/checkout/frame.css', asset('checkout/frame', 'css')],
  ['/checkout/frame/element.js', asset('checkout/frame/element', 'js')],
  ['/checkout/frame/panels.js', asset('checkout/frame/panels', 'js')],
  ['/checkout/frame/methods.js', asset('checkout/frame/methods', 'js')],
  ['/checkout/frame/bridge.js', asset('checkout/frame/bridge', 'js')],
  ['/cdn/risk.js', asset('checkout/risk', 'js')],
  ['/page.css', asset('page/page', 'css')],
  ['/l/link.js', asset('page/link', 'js')],
  ['/__emu/ui', asset('page/console', 'html')],
  ['/__emu/ui.js', asset('page/console', 'js')],
  ['/__emu/ui/rows.js', asset('page/console-rows', 'js')],
  ['/__emu/ui.css', asset('page/console', 'css')],
])

const templates = {
  link: asset('page/link', 'html').text,
  bank: asset('page/bank', 'html').text,
  message: asset('page/message', 'html').text,
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** A page with its `{{names}}` filled in, escaped. */
export function renderPage(name: keyof typeof templates, values: Record<string, string>): string {
  return templates[name].replace(/\{\{(\w+)\}\}/g, (_, key: string) =>
    escapeHtml(values[key] ?? ''),
  )
}

/** An amount in minor units as people read it: `$35.00`, `₹2,999.00`. Both currencies have two digits. */
export function formatAmount(amount: number, currency: string): string {
  const locale = currency === 'INR' ? 'en-IN' : 'en-US'
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100)
}
