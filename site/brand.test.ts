import { expect, test } from 'vitest'
import { brand } from './brand.ts'

/** The relative luminance of a hex colour, from 0 to 1 (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = (hex.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => {
    const share = parseInt(pair, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

test('every text of the brand has a contrast of 4.5:1 to what is behind it', () => {
  const { dark, ...light } = brand.colour
  const pairs = Object.entries({ light, dark }).flatMap(([theme, colour]) =>
    [
      ['ink', 'paper'],
      ['muted', 'paper'],
      ['onMarker', 'marker'],
      // On a dark background the marker is also a text colour.
      ...(theme === 'dark' ? [['marker', 'paper']] : []),
    ].map(([text = '', ground = '']) => ({
      name: `${text} on ${ground} in the ${theme} theme`,
      ratio: contrast(valueOf(colour, text), valueOf(colour, ground)),
    })),
  )
  const short = pairs
    .filter(({ ratio }) => ratio < 4.5)
    .map(
      ({ name, ratio }) => `site/brand.ts: ${name} has ${ratio.toFixed(2)}:1, which is below 4.5:1`,
    )
  expect(short).toEqual([])
})

const valueOf = (colours: Readonly<Record<string, string>>, name: string) => colours[name] ?? ''
