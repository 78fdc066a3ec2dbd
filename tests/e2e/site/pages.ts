import { globSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLIC_PAGES } from '../../../site/seo/public-pages.ts'
import { root } from '../../../tools/launcher/settings.ts'

export const PUBLIC_PATHS = PUBLIC_PAGES.map(({ path }) => path)

const texts = globSync('*.md', { cwd: join(root, 'site/content/legal') })
const files = [...globSync('**/[a-z]*.astro', { cwd: join(root, 'site/pages') }), ...texts]

/** The public pages of text alone, which one template makes. */
export const TEXT_PATHS = texts.map((file) => `/${file.replace('.md', '')}`)

/** Every prebuilt page, also of accounts, except the API's description. Three end in a secret. */
export const ALL_PATHS = files
  .map((file) => `/${file.replace(/(index)?\.(astro|md)$/, '')}`)
  .map((path) => (/^\/(not-me|reset-password|verify-email)$/.test(path) ? `${path}/x` : path))
  .filter((path) => path !== '/api/docs')
  .toSorted()
