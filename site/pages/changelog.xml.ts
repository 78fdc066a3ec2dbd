import { getCollection } from 'astro:content'
import type { APIRoute } from 'astro'
import { brand } from '../brand.ts'
import { feed } from '../seo/feed.ts'
import { proseHtml } from '../text/fill.ts'

export const GET: APIRoute = async ({ site }) => {
  const entries = (await getCollection('changelog')).toSorted((a, b) =>
    b.data.date.localeCompare(a.data.date),
  )
  const xml = feed({
    title: `${brand.productName} changelog`,
    description: `What changed in ${brand.productName}`,
    url: new URL('/changelog', site).href,
    items: entries.map(({ id, data, rendered }) => ({
      title: data.title,
      url: new URL(`/changelog#${id}`, site).href,
      date: data.date,
      html: proseHtml(rendered?.html),
    })),
  })
  return new Response(xml, { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } })
}
