/** The address of a page as people and search engines know it: no `.html`, no trailing slash. */
export function cleanPath(pathname: string): string {
  const path = pathname.replace(/(?:\/index)?(?:\.html)?\/?$/, '')
  return path === '' ? '/' : path
}

/** The address of a page's share image, drawn at build time by pages/og/[page].png.ts. */
export function shareImagePath(page: string): string {
  return `/og/${page}.png`
}
