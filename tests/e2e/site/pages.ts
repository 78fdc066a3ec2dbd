import { globSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLIC_PAGES } from '../../../site/seo/public-pages.ts'
import { root } from '../../../tools/launcher/settings.ts'

export const PUBLIC_PATHS = PUBLIC_PAGES.map(({ path }) => path)

/** Every prebuilt page, those of accounts with them, without the desk's, which only operators get. Two end in a secret. */
export const ALL_PATHS = globSync('**/*.astro', { cwd: join(root, 'site/pages') })
  .map((file) => `/${file.replace(/(index)?\.astro$/, '')}`)
  .map((path) => (/^\/(not-me|reset-password|verify-email)$/.test(path) ? `${path}/x` : path))
  .filter((path) => path !== '/desk')
  .toSorted()
