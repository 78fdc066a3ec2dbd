import { transform } from 'lightningcss'

/**
 * One style block at the end of the head, with the rules that the page or one of its scripts can ever need. A class
 * counts as used when its name, or a beginning of it that ends in a hyphen (`notice-` + tone), stands anywhere in them.
 *
 * @param scripts the texts of all scripts the page may run
 */
export function withLeanStyle(html: string, scripts: string): string {
  const blocks: string[] = []
  const rest = html.replace(/<style>([\s\S]*?)<\/style>/g, (_, block: string) => {
    blocks.push(block)
    return ''
  })
  if (!rest.includes('</head>') || blocks.length === 0) return html
  const css = leanCss(blocks.join(''), `${rest}\n${scripts}`)
  return rest.replace('</head>', () => `<style>${css}</style></head>`)
}

function leanCss(css: string, text: string): string {
  const words = new Set(text.match(/[\w-]+/g))
  const beginnings = [...words].filter((word) => /\w-$/.test(word))
  const isUsed = (name: string) =>
    words.has(name) || beginnings.some((beginning) => name.startsWith(beginning))
  const classes = namesIn(css, /\.(-?[a-zA-Z_][\w-]*)/g)
  const used = without(
    css,
    classes.filter((name) => !isUsed(name)),
  )
  return without(used, idleKeyframes(used))
}

function idleKeyframes(css: string): string[] {
  const mentions = css.match(/[\w-]+/g) ?? []
  return namesIn(css, /@keyframes ([\w-]+)/g).filter(
    (name) => mentions.filter((word) => word === name).length === 1,
  )
}

const namesIn = (css: string, pattern: RegExp) => [
  ...new Set([...css.matchAll(pattern)].map(([, name = '']) => name)),
]

function without(css: string, unusedSymbols: string[]): string {
  const { code } = transform({
    filename: 'page.css',
    code: Buffer.from(css),
    minify: true,
    unusedSymbols,
  })
  return Buffer.from(code).toString()
}
