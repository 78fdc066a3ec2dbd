import { PUBLIC_PAGES } from '../../../site/seo/public-pages.ts'

export const PUBLIC_PATHS = PUBLIC_PAGES.map(({ path }) => path)

/** Every prebuilt page, those of accounts with them. */
export const ALL_PATHS = [
  ...PUBLIC_PATHS,
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password/x',
  '/verify-email/x',
  '/dashboard',
  '/profile',
  '/settings',
  '/device',
  '/receipt',
  '/subscription/success',
  '/subscription/cancel',
]
