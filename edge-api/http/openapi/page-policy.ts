/**
 * The policy of a page that holds exactly this style, the site's own font and no script. The style is hashed as it stands
 * between its tags.
 */
export async function stylePolicy(page: string): Promise<string> {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return `default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}
