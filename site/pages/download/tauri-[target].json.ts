import type { APIRoute, GetStaticPaths } from 'astro'
import { tauriFeed } from '../../releases/feeds.ts'
import { releases } from '../../releases/releases.ts'

export const getStaticPaths = (() =>
  (['darwin', 'windows'] as const).flatMap((target) => {
    const feed = tauriFeed(releases, target)
    return feed === null ? [] : [{ params: { target }, props: { feed } }]
  })) satisfies GetStaticPaths

export const GET: APIRoute<{ feed: string }> = ({ props }) => new Response(props.feed)
