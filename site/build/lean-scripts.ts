import { minifySync } from 'vite'

/** Scripts that run and stand in the page itself. */
const INLINE_SCRIPT =
  /<script(?![^>]*\ssrc=)(?![^>]*application\/ld\+json)([^>]*)>([\s\S]*?)<\/script>/g

/** What is written into a page as text has passed no bundler: its comments and long names go here. */
export function withLeanScripts(html: string): string {
  return html.replace(
    INLINE_SCRIPT,
    (_, attributes: string, code: string) => `<script${attributes}>${minified(code)}</script>`,
  )
}

function minified(code: string): string {
  const { code: short, errors } = minifySync('inline.js', code)
  if (errors.length > 0) throw new Error(`An inline script cannot be read: ${code.slice(0, 80)}`)
  return short.trim()
}
