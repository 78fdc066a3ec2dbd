import { offeredMac, offeredWindows, type Release } from '../../src/contract/release.ts'
import { HTTPS_ONLY } from './security-headers.ts'

/** The prebuilt files. */
export interface Assets {
  fetch(request: Request): Promise<Response>
}

/** Pages whose URL ends in a secret: each prebuilt page answers for every secret. */
const SHELL = /^(\/(?:verify-email|not-me|reset-password))\/[^/]+\/?$/

/** The folders of files that browsers keep, and feeds, which updaters ask for by the system they run on. */
const FILES = /^\/(_astro|clips|fonts|og)\/|^\/download\/.+\.(json|yml)$/

/** public/_headers would let a browser keep a 404 as long as the file, so that a late deployment stayed broken for a year. */
export function missingFile(): Response {
  const headers = {
    'Cache-Control': 'no-store',
    'Strict-Transport-Security': HTTPS_ONLY,
    'X-Content-Type-Options': 'nosniff',
  }
  return new Response('Not found', { status: 404, headers })
}

function redirectTo(location: string): Response {
  const headers = { Location: location, 'Strict-Transport-Security': HTTPS_ONLY }
  return new Response(null, { status: 302, headers })
}

/** Addresses that stay the same while releases change. */
const DOWNLOADS: Readonly<Record<string, (releases: readonly Release[]) => string>> = {
  '/download/mac': (releases) => offeredMac(releases).mac.image.url,
  '/download/windows': (releases) => offeredWindows(releases).windows.page,
}

/**
 * Answers what is neither a file nor an API call: with a prebuilt page, the newest download, or a redirect to the landing
 * page.
 */
export async function serveShell(
  request: Request,
  assets: Assets,
  releases: readonly Release[],
): Promise<Response> {
  const { pathname, origin } = new URL(request.url)
  const download = DOWNLOADS[pathname]
  if (download !== undefined) return redirectTo(download(releases))
  if (FILES.test(pathname)) return missingFile()
  const [, shell] = SHELL.exec(pathname) ?? []
  // Relative, because the host of a request is whatever its sender wrote.
  if (shell === undefined) return redirectTo('/')
  const page = await assets.fetch(new Request(`${origin}${shell}`))
  return securePageHeaders(page)
}

/** The URL of such a page contains a secret: no cache may keep the page, and no referrer may contain the URL. */
function securePageHeaders(page: Response): Response {
  const headers = new Headers(page.headers)
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cache-Control', 'no-store')
  return new Response(page.body, { status: page.status, headers })
}
