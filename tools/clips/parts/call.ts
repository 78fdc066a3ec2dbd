import { moments } from './motion.ts'
import { escape } from './words.ts'

interface Place {
  left: number
  top: number
  width: number
  height?: number
}

/** Where an element stands on the stage, in its pixels. */
export function placed({ left, top, width, height }: Place): string {
  const tall = height === undefined ? '' : `;height:${String(height)}px`
  return `left:${String(left)}px;top:${String(top)}px;width:${String(width)}px${tall}`
}

interface Shared extends Place {
  /** What the window's bar says. */
  title: string
  content: string
}

/** A window of somebody's shared screen. */
export function sharedWindow({ title, content, ...place }: Shared): string {
  return `<main class="window" style="${placed(place)}">
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

interface Person extends Place {
  name: string
  hair: keyof typeof hair
  shade: keyof typeof shades
  /** From and until which moments this person talks. */
  talks?: readonly [number, number]
}

/** One person of the call, drawn in four flat tones. */
export function person({ name, hair: cut, shade, talks, ...place }: Person): string {
  const [wall, shirt, skin, dark] = shades[shade]
  const speaking =
    talks === undefined ? '' : `<u class="talks" ${moments(...talks)}><i></i><i></i><i></i></u>`
  return `<figure class="person" style="${placed(place)};background:${wall}">
    <svg viewBox="0 0 212 150" preserveAspectRatio="xMidYMax slice">
      <path fill="${dark}" opacity="${cut === 'long' ? '1' : '0'}" d="M66 104c-8-52 4-86 40-86s50 32 42 86z"/>
      <path fill="${shirt}" d="M34 152c2-34 28-44 56-48h32c28 4 54 14 56 48z"/>
      <path fill="${skin}" d="M93 92h26v14c0 8-26 8-26 0z"/>
      <ellipse fill="${skin}" cx="106" cy="66" rx="32" ry="39"/>
      <path fill="${dark}" d="${hair[cut]}"/>
    </svg>
    <figcaption>${escape(name)}</figcaption>${speaking}
  </figure>`
}

interface Speech {
  left: number
  width: number
  /** The upper edge of the person who says it: the words stand just above. */
  above: number
  text: string
  atMs: number
  untilMs: number
}

/** What somebody on the call has just said, as the call's captions show it. */
export function speech({ left, width, above, text, atMs, untilMs }: Speech): string {
  const place = `left:${String(left)}px;bottom:${String(800 - above + 16)}px;max-width:${String(width)}px`
  const times = `--at:${String(atMs)}ms;--until:${String(untilMs)}ms`
  return `<blockquote class="speech come go" style="${place};${times}">${escape(text)}</blockquote>`
}
