import type { APIRoute } from 'astro'
import { escapeXml } from '../seo/feed.ts'
import { PUBLIC_PAGES } from '../seo/public-pages.ts'

export const GET: APIRoute = ({ site }) => {
  const urls = PUBLIC_PAGES.map(
    ({ path }) => `<url><loc>${escapeXml(new URL(path, site).href)}</loc></url>`,
  )
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
  ].join('\n')
  return new Response(xml, { headers: { 'content-type': 'application/xml; charset=utf-8' } })
}
