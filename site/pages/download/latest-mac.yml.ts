import type { APIRoute } from 'astro'
import { electronFeed } from '../../releases/feeds.ts'
import { releases } from '../../releases/releases.ts'

export const GET: APIRoute = () => new Response(electronFeed(releases, 'mac'))
