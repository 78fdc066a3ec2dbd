import { moments } from './motion.ts'
import { escape } from './words.ts'

interface Box {
  x: number
  y: number
  width: number
  height: number
  label: string
  /** Quieter words under the label. */
  detail?: string
  atMs: number
  marked?: boolean
}

const px = (value: number): string => String(value)

/** A box of a diagram with its name in the middle. */
export function box({ x, y, width, height, label, detail, atMs, marked = false }: Box): string {
  const middle = px(x + width / 2)
  const firstLine = y + height / 2 + (detail === undefined ? 9 : -9)
  const second =
    detail === undefined
      ? ''
      : `<text class="small" x="${middle}" y="${px(firstLine + 37)}">${escape(detail)}</text>`
  return `<g class="box fade ${marked ? 'marked' : ''}" ${moments(atMs)} text-anchor="middle">
    <rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="11"/>
    <text x="${middle}" y="${px(firstLine)}">${escape(label)}</text>${second}</g>`
}

type Point = readonly [number, number]

interface Arrow {
  from: Point
  /** Corners on the way, if it is not straight. */
  via?: readonly Point[]
  to: Point
  atMs: number
  /** Something that happens afterwards is drawn dotted. */
  later?: boolean
  /** A diamond where it begins: the one owns the other. */
  owns?: boolean
}

const drawMs = 250

function head([fromX, fromY]: Point, [x, y]: Point): string {
  const angle = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI
  return `<path d="M-12 -8L0 0L-12 8" transform="translate(${px(x)} ${px(y)}) rotate(${px(angle)})"/>`
}

/** A line that is drawn from one point to another, with its head when it arrives. */
export function arrow({ from, via = [], to, atMs, later = false, owns = false }: Arrow): string {
  const start: Point = owns ? [from[0] + 24, from[1]] : from
  const points = [start, ...via, to]
  const path = points.map(([x, y]) => `${px(x)} ${px(y)}`).join('L')
  const line = later
    ? `<path class="later fade" ${moments(atMs)} d="M${path}"/>`
    : `<path class="draw" pathLength="1" ${moments(atMs)} d="M${path}"/>`
  const tip = `<g class="fade" ${moments(atMs + drawMs - 60)}>${head(points.at(-2) ?? start, to)}</g>`
  const diamond = `<path class="fade" fill="currentColor" ${moments(atMs)}
    d="M${px(from[0])} ${px(from[1])}l12 -8l12 8l-12 8z"/>`
  return `${line}${tip}${owns ? diamond : ''}`
}

/** The sheet a diagram is drawn on. */
export function drawing(width: number, height: number, content: string): string {
  return `<svg class="drawing" width="${px(width)}" height="${px(height)}">${content}</svg>`
}
