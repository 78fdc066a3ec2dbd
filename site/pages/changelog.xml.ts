import type { APIRoute } from 'astro'
import { brand } from '../brand.ts'
import { feed } from '../seo/feed.ts'
import { changelogEntries } from '../text/changelog.ts'

export const GET: APIRoute = async ({ site }) => {
  const entries = await changelogEntries()
  const xml = feed({
    title: `${brand.productName} changelog`,
    description: `What changed in ${brand.productName}`,
    url: new URL('/changelog', site).href,
    items: entries.map(({ id, ...entry }) => ({
      ...entry,
      url: new URL(`/changelog#${id}`, site).href,
    })),
  })
  return new Response(xml, { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } })
}
