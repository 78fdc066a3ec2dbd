import { readFile } from 'node:fs/promises'
import * as hb from 'harfbuzzjs'
import subsetFont from 'subset-font'

const FONT = new URL('../../public/fonts/bricolage.woff2', import.meta.url)

/** As the headings of the site are spaced, in em. */
const TRACKING = -0.022

export interface Outline {
  /** SVG path data, baseline at 0, y downwards. */
  readonly path: string
  readonly width: number
}

/**
 * A writer in the site's display face: text and size in pixels to an outline, so that no machine's own fonts matter.
 */
export async function outlineWriter(letters: string) {
  const bytes = await subsetFont(await readFile(FONT), letters, { targetFormat: 'sfnt' })
  const face = new hb.Face(new hb.Blob(bytes))
  const font = new hb.Font(face)

  return (text: string, size: number): Outline => {
    const buffer = new hb.Buffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    hb.shape(font, buffer)
    const scale = size / face.upem
    const places = buffer.getGlyphPositions()
    let x = 0
    const parts = buffer.getGlyphInfos().map(({ codepoint: glyph }, index) => {
      const part = `<g transform="translate(${(x * scale).toFixed(1)} 0) scale(${scale} ${-scale})"><path d="${font.glyphToPath(glyph)}"/></g>`
      x += (places[index]?.xAdvance ?? 0) + TRACKING * face.upem
      return part
    })
    return { path: parts.join(''), width: x * scale }
  }
}
