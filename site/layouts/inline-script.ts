import { minifySync } from 'vite'

/** A script to write into a page as text, minified, since it passes no bundler. Throws when it cannot be parsed. */
export function inlineScript(code: string): string {
  const { code: short, errors } = minifySync('inline.js', code)
  if (errors.length > 0) throw new Error(`An inline script cannot be parsed: ${code.slice(0, 80)}`)
  return short.trim()
}
