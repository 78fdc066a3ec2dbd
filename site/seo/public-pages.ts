/** All public pages. The sitemap, llms.txt and the tests of the site use this list. */
export const PUBLIC_PAGES = [
  { path: '/', says: 'What the app does, shown in six short films' },
  { path: '/download', says: 'The app for macOS 10.15 or later and Windows 10/11' },
  {
    path: '/subscription',
    says: 'The plan, token packs, prices in USD and INR, questions and answers',
  },
  { path: '/careers', says: 'Open positions' },
  { path: '/contact', says: 'Contact support' },
  { path: '/changelog', says: 'What changed' },
  { path: '/security', says: 'What is stored where, how to report a weakness' },
  { path: '/privacy', says: 'What is stored, for how long, and who else sees it' },
  { path: '/terms', says: 'The agreement' },
  { path: '/refunds', says: 'The refund policy and its formula' },
] as const

/** The canonical path of a page: no `.html`, no trailing slash. */
export function cleanPath(pathname: string): string {
  const path = pathname.replace(/(?:\/index)?(?:\.html)?\/?$/, '')
  return path === '' ? '/' : path
}

/** The share image of the page at a clean path. Public pages have their own (tools/artwork/draw.ts). */
export function shareImagePath(path: string): string {
  const isPublic = path !== '/' && PUBLIC_PAGES.some((page) => page.path === path)
  return `/og${isPublic ? path : '/home'}.png`
}
