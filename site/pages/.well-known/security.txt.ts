import type { APIRoute } from 'astro'
import { brand } from '../../brand.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/** RFC 9116. It expires a year after the build, so an abandoned site stops promising an answer. */
export const GET: APIRoute = ({ site }) => {
  const lines = [
    `Contact: mailto:${brand.securityEmail}`,
    `Expires: ${new Date(Date.now() + YEAR_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${new URL('/.well-known/security.txt', site).href}`,
    `Policy: ${new URL('/security', site).href}`,
    `Hiring: ${new URL('/careers', site).href}`,
  ]
  return new Response(`${lines.join('\n')}\n`)
}
