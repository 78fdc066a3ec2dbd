import type { AstroIntegration } from 'astro'
import { policyFor } from './page-policy.ts'
import { rewritePages } from './rewrite-pages.ts'

/** Where the payment emulator may answer: any port of this machine. */
const LOOPBACK = 'http://localhost:* http://127.0.0.1:*'

/**
 * Gives each page the content security policy of its own inline blocks
 * (docs/decisions/0021-each-page-carries-its-own-policy.md). A local build also lets the payment emulator in.
 */
export function policy({ isLocal }: { isLocal: boolean }): AstroIntegration {
  const standIn = isLocal ? LOOPBACK : ''
  return {
    name: 'policy',
    hooks: {
      'astro:build:done': ({ dir }) =>
        rewritePages(dir, (html, name) => withPolicy(html, policyFor(name, html, standIn))),
    },
  }
}

/** The policy comes right after the charset: what stands before it would not be held to it. */
function withPolicy(html: string, text: string): string {
  const head = /<meta charset="utf-8">/
  if (!head.test(html))
    throw new Error('A page has no <meta charset="utf-8"> to put its policy after.')
  return html.replace(
    head,
    (charset) => `${charset}<meta http-equiv="content-security-policy" content="${text}">`,
  )
}
