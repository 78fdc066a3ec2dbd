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

/** For a page whose address holds a secret: it is kept nowhere and told to nobody. */
function securePageHeaders(page: Response): Response {
  const headers = new Headers(page.headers)
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cache-Control', 'no-store')
  return new Response(page.body, { status: page.status, headers })
}
