import { brand } from '../brand.ts'

type Colours = Record<'paper' | 'ink' | 'muted' | 'line' | 'marker' | 'onMarker', string>

/**
 * The brand's colours as custom properties of both themes: `--paper`, `--on-marker` and so on, in the layer `tokens`. Without
 * `light-dark()`, which Safari has since 17.5; the build writes the other colours of site/styles in an older way, but not these.
 */
export function brandColours(): string {
  const { dark, ...light } = brand.colour
  const rules = [
    `:root${block(light)}`,
    `@media screen{:root[data-theme=dark]${block(dark)}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light])${block(dark)}}`,
  ]
  return `@layer tokens{${rules.join('')}}`
}

function block({ paper, ink, muted, line, marker, onMarker }: Colours): string {
  const marked = `--marker:${marker};--on-marker:${onMarker};--marker-edge:${onMarker}75`
  return `{--paper:${paper};--ink:${ink};--muted:${muted};--line:${line};${marked}}`
}
