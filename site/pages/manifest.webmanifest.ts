import type { APIRoute } from 'astro'
import { brand } from '../brand.ts'

export const GET: APIRoute = () =>
  Response.json(
    {
      name: brand.productName,
      short_name: brand.productName,
      description: brand.description,
      start_url: '/',
      display: 'standalone',
      background_color: brand.colour.paper,
      theme_color: brand.colour.paper,
      icons: [
        { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
        { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
        { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
        { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
      ],
    },
    { headers: { 'content-type': 'application/manifest+json' } },
  )
