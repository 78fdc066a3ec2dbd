import { brand } from '../brand.ts'

/** The brand's colours as custom properties of both themes: `--paper`, `--on-marker` and so on, in the layer `tokens`. */
export function brandColours(): string {
  const { dark, ...light } = brand.colour
  const both = {
    '--paper': [light.paper, dark.paper],
    '--ink': [light.ink, dark.ink],
    '--muted': [light.muted, dark.muted],
    '--line': [light.line, dark.line],
    '--marker': [light.marker, dark.marker],
    '--on-marker': [light.onMarker, dark.onMarker],
  }
  const lines = Object.entries(both).map(([name, pair]) => `${name}:light-dark(${pair.join()})`)
  return `@layer tokens{:root{${lines.join(';')}}}`
}
