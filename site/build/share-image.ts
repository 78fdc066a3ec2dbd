import { brand } from '../brand.ts'
import type { Outline } from './outline.ts'

type Write = (text: string, size: number) => Outline

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 80
const TITLE_SIZE = 98
const LINE_HEIGHT = 1.08
const { paper, ink, night, quiet, marker } = brand.colour
const HAIRLINE = '#e6e2d8'

/** A share image (Open Graph, 1200 × 630) as SVG: the page's title, and the slip over a shared screen. */
export function shareImageSvg(lines: readonly string[], write: Write): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${paper}"/>`,
    sharedScreen(),
    slip(write),
    put(write(brand.productName, 44), MARGIN + 62, 118),
    logo(MARGIN, 82),
    ...lines.map((line, index) =>
      put(write(line, TITLE_SIZE), MARGIN - 4, 264 + index * TITLE_SIZE * LINE_HEIGHT),
    ),
    '</svg>',
  ].join('')
}

function put({ path }: Outline, x: number, y: number, fill: string = ink): string {
  return `<g fill="${fill}" transform="translate(${x} ${y})">${path}</g>`
}

function logo(x: number, y: number): string {
  return `<g transform="translate(${x} ${y}) scale(2)"><rect x="1" y="1" width="22" height="18" rx="5" fill="none" stroke="${ink}" stroke-width="1.75" stroke-dasharray="3.6 2.6"/><rect x="6" y="7" width="12" height="6" rx="1.5" fill="${marker}"/></g>`
}

/** A window of somebody's screen that runs out of the picture. */
function sharedScreen(): string {
  const bars = [120, 210, 168, 250, 96]
    .map(
      (width, index) =>
        `<rect x="600" y="${486 + index * 34}" width="${width}" height="12" rx="6"/>`,
    )
    .join('')
  return `<rect x="560" y="420" width="760" height="360" rx="18" fill="#ffffff" stroke="${HAIRLINE}" stroke-width="2"/><path d="M560 456h760" stroke="${HAIRLINE}" stroke-width="2"/><g fill="${HAIRLINE}">${bars}</g>`
}

function slip(write: Write): string {
  const bars = `<g fill="#8d887d"><rect x="750" y="530" width="300" height="12" rx="6"/><rect x="750" y="562" width="210" height="12" rx="6"/></g>`
  return `<rect x="718" y="446" width="402" height="164" rx="20" fill="${night}" stroke="${quiet}" stroke-width="2.5" stroke-dasharray="9 7"/><circle cx="756" cy="488" r="6" fill="${marker}"/>${put(write('only you see this', 26), 774, 497, '#f4f2ec')}${bars}<rect x="970" y="556" width="86" height="24" rx="5" fill="${marker}"/>`
}
