import type { ShareImage } from './share-images.ts'

/** The address of a page as people and search engines know it: no `.html`, no trailing slash. */
export function cleanPath(pathname: string): string {
  const path = pathname.replace(/(?:\/index)?(?:\.html)?\/?$/, '')
  return path === '' ? '/' : path
}

/** The address of a page's share image, drawn at build by build/artwork.ts. */
export function shareImagePath(page: ShareImage): string {
  return `/og/${page}.png`
}
