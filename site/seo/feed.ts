interface Feed {
  readonly title: string
  readonly description: string
  readonly url: string
  readonly items: readonly FeedItem[]
}

interface FeedItem {
  readonly title: string
  readonly url: string
  /** ISO date. */
  readonly date: string
  readonly html: string
}

/** An RSS 2.0 document (rssboard.org/rss-specification). */
export function feed({ title, description, url, items }: Feed): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0"><channel>',
    element('title', title) + element('link', url) + element('description', description),
    ...items.map(item),
    '</channel></rss>',
  ].join('\n')
}

function item({ title, url, date, html }: FeedItem): string {
  return `<item>${element('title', title)}${element('link', url)}${element('guid', url)}${element('pubDate', new Date(date).toUTCString())}${element('description', html)}</item>`
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
