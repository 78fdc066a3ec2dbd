/** For a page whose address holds a secret: it is kept nowhere and told to nobody. */
export function securePageHeaders(page: Response): Response {
  const headers = new Headers(page.headers)
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cache-Control', 'no-store')
  return new Response(page.body, { status: page.status, headers })
}
