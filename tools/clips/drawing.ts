/** Joins markup; numbers are written as they are. */
export const markup = (strings: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: strings }, ...values)

/** Escapes the text of a scene for its markup. */
export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The styles that tie an element to the millisecond it comes at and, if it goes, leaves at. */
export function timed(atMs: number, untilMs?: number): string {
  return untilMs === undefined
    ? markup`--at:${atMs}ms`
    : markup`--at:${atMs}ms;--until:${untilMs}ms`
}

/** The window that is shared on the call. */
export function sharedWindow(title: string, content: string): string {
  return markup`<main class="window">
    <header><i></i><i></i><i></i><b>${escape(title)}</b><em>You are sharing this</em></header>
    ${content}
  </main>`
}

const hair = {
  short: 'M72 66c-3-30 12-46 34-46s39 14 35 46c-5-14-9-21-16-25-13 6-34 6-44 2-4 6-7 12-9 23z',
  long: 'M66 104c-8-52 4-86 40-86s50 32 42 86c-6 4-14 5-20 4 8-20 8-42 2-58-14 6-32 6-44 0-6 18-6 38 2 58-8 1-16 0-22-4z',
  tied: 'M72 62c-1-26 13-41 34-41s35 15 34 41c-8-12-20-19-34-19s-27 7-34 19zM93 29a14 12 0 1 1 26 0z',
  bare: 'M74 60c0-24 13-39 32-39s32 15 32 39c-3-12-6-17-10-20-13 4-31 4-44 0-4 3-7 8-10 20z',
} as const

const shades = {
  sand: ['#E6DFD0', '#CFC5B1', '#A99F8B', '#6E675A'],
  sage: ['#DFE2D5', '#C6CBB7', '#A3A992', '#5F6555'],
  clay: ['#EBDDD2', '#D9C2B2', '#B79C8A', '#6F5A4E'],
  slate: ['#DDE0E1', '#C3C9CB', '#9BA4A7', '#555E61'],
} as const

interface Person {
  name: string
  look: readonly [hair: keyof typeof hair, shade: keyof typeof shades]
  /** Left, top, width and height in pixels of the stage. */
  place: readonly [number, number, number, number]
  /** From and until which millisecond this person talks. */
  talks?: readonly [number, number]
}

/** One person on the call, drawn in four flat tones. */
export function person({ name, look: [cut, shade], place, talks }: Person): string {
  const [wall, shirt, skin, dark] = shades[shade]
  const [left, top, width, height] = place
  const speaking = talks && `<u class="talks" style="${timed(...talks)}"><i></i><i></i><i></i></u>`
  const box = markup`left:${left}px;top:${top}px;width:${width}px;height:${height}px`
  return markup`<figure class="person" style="${box};background:${wall}">
    <svg viewBox="0 0 212 150" preserveAspectRatio="xMidYMax slice">
      <path fill="${cut === 'long' ? dark : 'none'}" d="M66 104c-8-52 4-86 40-86s50 32 42 86z" />
      <path fill="${shirt}" d="M34 152c2-34 28-44 56-48h32c28 4 54 14 56 48z" />
      <path fill="${skin}" d="M93 92h26v14c0 8-26 8-26 0z" />
      <ellipse fill="${skin}" cx="106" cy="66" rx="32" ry="39" />
      <path fill="${dark}" d="${hair[cut]}" />
    </svg>
    <figcaption>${escape(name)}</figcaption>
    ${speaking ?? ''}
  </figure>`
}

interface Speech {
  left: number
  width: number
  /** The upper edge of the speaker's picture: the words are just above it. */
  above: number
  text: string
  untilMs: number
}

/** The latest words of somebody on the call, as its captions show them. */
export function speech({ left, width, above, text, untilMs }: Speech): string {
  const place = markup`left:${left}px;bottom:${816 - above}px;max-width:${width}px`
  const times = timed(700, untilMs)
  return `<blockquote class="speech come go" style="${place};${times}">${escape(text)}</blockquote>`
}

interface Overlay {
  left: number
  top: number
  width: number
  atMs: number
  untilMs: number
  content: readonly string[]
}

const eye = `<svg viewBox="0 0 28 20">
  <path d="M2 10c6-9 18-9 24 0-6 9-18 9-24 0z" /><circle cx="14" cy="10" r="3.6" /></svg>`

/** How long the overlay is seen thinking before its first words. */
const thinksMs = 900

/** The product itself: a dark pane over everything, which grows with its answer. */
export function overlay({ left, top, width, atMs, untilMs, content }: Overlay): string {
  const place = markup`left:${left}px;top:${top}px;width:${width}px`
  return markup`<aside class="overlay come go" style="${place};${timed(atMs, untilMs)}">
    <svg class="outline"><rect /></svg>
    <p class="tag">${eye}only you see this</p>
    <div class="answer">
      <div class="thinking go" style="${timed(atMs, atMs + thinksMs - 160)}"><i></i><i></i><i></i></div>
      ${content.join('')}
    </div>
  </aside>`
}

/** A part of the answer that makes its own room when its moment comes. */
export function line(atMs: number, content: string, kind = ''): string {
  const inner = `<div><div class="line ${kind}">${content}</div></div>`
  return `<div class="grow" style="${timed(atMs)}">${inner}</div>`
}

/** The headline of an answer. */
export const lead = (atMs: number, text: string): string => line(atMs, written(atMs, text), 'lead')

/** One numbered step of an answer, its first word in bold if `name` is given. */
export function point(atMs: number, number: number, text: string, name?: string): string {
  const comes = timed(atMs + 60)
  const title = name === undefined ? '' : `<b class="fade" style="${comes}">${escape(name)}</b> `
  const digit = markup`<span class="number fade" style="${comes}">${number}</span>`
  return line(atMs, `${digit}<p>${title}${written(atMs + 200, text)}</p>`, 'point')
}

/** Milliseconds between two words of a written answer: quick, and still read as writing. */
const wordMs = 65

/**
 * Text that is written word by word from `atMs`, a word every `everyMs`. The marker draws over a stretch between `[[` and `]]`
 * once the whole text is written.
 */
export function written(atMs: number, text: string, everyMs = wordMs): string {
  const marksAtMs = atMs + text.trim().split(/\s+/).length * everyMs + 450
  const marked = escape(/\[\[(.+)\]\]/.exec(text)?.[1] ?? '')
  let count = 0
  return text.replaceAll(/\[\[|\]\]|(?:(?!\[\[|\]\])\S)+/g, (piece) => {
    if (piece === '[[') return `<mark data-text="${marked}" style="${timed(marksAtMs)}">`
    if (piece === ']]') return '</mark>'
    count += 1
    const comes = timed(atMs + (count - 1) * everyMs)
    return `<span class="word" style="${comes}">${escape(piece)}</span>`
  })
}

interface Box {
  atMs: number
  x: number
  y: number
  width: number
  height: number
  label: string
  /** Quieter words under the label. */
  detail?: string
  marked?: boolean
}

/** A box of a diagram with its name in the middle. */
export function box({ atMs, x, y, width, height, label, detail, marked = false }: Box): string {
  const middle = x + width / 2
  const baseline = y + height / 2 + (detail === undefined ? 9 : -9)
  const quieter = escape(detail ?? '')
  return markup`<g class="box fade ${marked ? 'marked' : ''}" style="${timed(atMs)}" text-anchor="middle">
    <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="11" />
    <text x="${middle}" y="${baseline}">${escape(label)}</text>
    <text class="small" x="${middle}" y="${baseline + 37}">${quieter}</text>
  </g>`
}

type Point = readonly [x: number, y: number]

/** How a line is drawn: dotted if it happens afterwards, with a diamond if one owns the other. */
type Line = 'plain' | 'later' | 'owns'

/** A line that is drawn from point to point, with its head when it arrives. */
export function arrow(atMs: number, kind: Line, ...points: readonly Point[]): string {
  const [[x, y] = [0, 0], ...others] = points
  const [[fromX, fromY] = [0, 0], [toX, toY] = [0, 0]] = points.slice(-2)
  const path = markup`M${kind === 'owns' ? x + 24 : x} ${y}L${others.map(String).join('L')}`
  const stroke = kind === 'later' ? 'class="later fade"' : 'class="draw" pathLength="1"'
  const angle = (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI
  const diamond = markup`<path class="fade" fill="currentColor" style="${timed(atMs)}"
    d="M${x} ${y}l12 -8l12 8l-12 8z" />`
  return markup`<path ${stroke} style="${timed(atMs)}" d="${path}" />
    <g class="fade" style="${timed(atMs + 190)}">
      <path d="M-12 -8L0 0L-12 8" transform="translate(${toX} ${toY}) rotate(${angle})" />
    </g>
    ${kind === 'owns' ? diamond : ''}`
}

/** The sheet a diagram is drawn on. */
export function drawing(width: number, height: number, content: readonly string[]): string {
  return markup`<svg class="drawing" width="${width}" height="${height}">${content.join('')}</svg>`
}
