import { getCollection } from 'astro:content'
import { releases } from '../releases/releases.ts'
import { isPublished, titleOf } from '../releases/texts.ts'
import { escapeXml } from '../seo/feed.ts'
import { fill, proseHtml } from './fill.ts'

/** What changed, newest first: the entries of content/changelog and the published releases of the app. */
export async function changelogEntries() {
  const entries = await getCollection('changelog')
  const ofSite = entries.map(({ id, data, rendered }) => ({
    id,
    ...data,
    html: proseHtml(rendered?.html),
  }))
  const published = releases.filter(({ mac, windows }) =>
    [mac?.image, windows?.update].some((file) => file && isPublished(file)),
  )
  const ofApp = published.map((release) => ({
    id: `version-${release.version.replaceAll('.', '-')}`,
    title: titleOf(release),
    date: release.date,
    html: listOf(release.notes.map((note) => fill(note))),
  }))
  return [...ofSite, ...ofApp].toSorted((a, b) => b.date.localeCompare(a.date))
}

function listOf(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${escapeXml(item)}</li>`).join('')}</ul>`
}
