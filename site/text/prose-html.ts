import { fill } from './fill.ts'
import { VALUES } from './values.ts'

/**
 * The HTML of a Markdown text with its values filled in. `<{supportEmail}>` becomes a mail link, because Markdown only
 * knows addresses it can see; tables may be scrolled where they do not fit.
 */
export function proseHtml(rendered: string | undefined): string {
  if (rendered === undefined) throw new Error('A text was not rendered.')
  const linked = rendered.replace(
    /(?:<|&#x3C;|&lt;)(\{\w+Email\})(?:>|&gt;)/g,
    '<a href="mailto:$1">$1</a>',
  )
  return fill(linked, VALUES)
    .replaceAll('<table>', '<div class="table-scroll" tabindex="0"><table class="table">')
    .replaceAll('</table>', '</table></div>')
}
