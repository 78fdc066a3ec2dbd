import { minifySync } from 'vite'

/** Minifies a script that a page contains as text and no bundler sees. Throws when the script cannot be parsed. */
export function inlineScript(code: string): string {
  const { code: short, errors } = minifySync('inline.js', code)
  if (errors.length > 0) throw new Error(`An inline script cannot be parsed: ${code.slice(0, 80)}`)
  return short.trim()
}
