import { securePageHeaders } from './page-headers.ts'

interface Assets {
  fetch(request: Request): Promise<Response>
}

/** Pages whose address ends in a secret: one prebuilt shell answers for all of them. */
const SHELLS = [
  { pattern: /^\/verify-email\/[^/]+$/, page: '/verify-email' },
  { pattern: /^\/reset-password\/[^/]+$/, page: '/reset-password' },
] as const

/** Whatever is no file and no API call: a shell, or the landing page. */
export async function serveShell(request: Request, assets: Assets): Promise<Response> {
  const { pathname, origin } = new URL(request.url)
  const shell = SHELLS.find(({ pattern }) => pattern.test(pathname))
  if (shell === undefined) return Response.redirect(`${origin}/`, 302)
  const page = await assets.fetch(new Request(`${origin}${shell.page}`))
  return securePageHeaders(page)
}
