import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'

/** Moves the style that Astro writes beside a page's first island into the head, the only place HTML has for it. */
export function hoistStyles(): AstroIntegration {
  return {
    name: 'hoist-styles',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const names = await readdir(dir, { recursive: true })
        const pages = names.filter((name) => name.endsWith('.html'))
        await Promise.all(
          pages.map(async (name) => {
            const file = new URL(name, dir)
            await writeFile(file, withStylesInHead(await readFile(file, 'utf8')))
          }),
        )
      },
    },
  }
}

export function withStylesInHead(html: string): string {
  const [head = '', body] = html.split('</head>')
  if (body === undefined) return html
  const found: string[] = []
  const rest = body.replace(/<style>[\s\S]*?<\/style>/g, (style) => {
    found.push(style)
    return ''
  })
  return `${head}${found.join('')}</head>${rest}`
}
