interface PublicPage {
  path: string
  /** What the page is about, for language models (llms.txt). */
  says: string
  /** Whether tools/artwork/images.ts draws a share image for it; the others use the landing page's. */
  hasImage?: boolean
}

/**
 * All public pages. The sitemap, llms.txt and the tests of the site use this list.
 */
export const PUBLIC_PAGES: readonly PublicPage[] = [
  { path: '/', says: 'What the app does, shown in six short films' },
  { path: '/download', says: 'The app for macOS 10.15 or later and Windows 10/11', hasImage: true },
  {
    path: '/subscription',
    says: 'Plans, token packs, prices in USD and INR, questions and answers',
    hasImage: true,
  },
  { path: '/careers', says: 'Open positions', hasImage: true },
  { path: '/about', says: 'The company, its address, and who handles complaints' },
  { path: '/contact', says: 'Contact support', hasImage: true },
  { path: '/changelog', says: 'What changed', hasImage: true },
  {
    path: '/security',
    says: 'What is stored where, how to report a vulnerability',
    hasImage: true,
  },
  {
    path: '/screen-sharing',
    says: 'Where the overlay stays out of a shared screen, and where it does not',
  },
  { path: '/recording-law', says: 'Where listening to a call needs everyone’s consent' },
  { path: '/honest-use', says: 'Whether you may use it, and how to find out' },
  { path: '/privacy', says: 'What is stored, for how long, and who else sees it', hasImage: true },
  { path: '/terms', says: 'The agreement', hasImage: true },
  { path: '/delivery', says: 'How and when what you buy arrives' },
  { path: '/refunds', says: 'The refund policy and its formula', hasImage: true },
]

/** The canonical path of a page: no `.html`, no trailing slash. */
export function cleanPath(pathname: string): string {
  const path = pathname.replace(/(?:\/index)?(?:\.html)?\/?$/, '')
  return path === '' ? '/' : path
}

/** The share image of the page at a clean path. */
export function shareImagePath(path: string): string {
  const hasImage = PUBLIC_PAGES.some((page) => page.path === path && page.hasImage === true)
  return `/og${hasImage ? path : '/home'}.png`
}
