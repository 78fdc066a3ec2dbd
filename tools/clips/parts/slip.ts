import { placed } from './call.ts'
import { moments } from './motion.ts'

interface Slip {
  left: number
  top: number
  width: number
  atMs: number
  untilMs: number
  /** When the first words come: until then the slip is seen thinking. */
  answersAtMs: number
  body: string
}

const eye =
  '<svg viewBox="0 0 28 20"><path d="M2 10c6-9 18-9 24 0-6 9-18 9-24 0z"/><circle cx="14" cy="10" r="3.6"/></svg>'

/** The product itself: a dark slip over everything, which grows with its answer. */
export function slip({ left, top, width, atMs, untilMs, answersAtMs, body }: Slip): string {
  const times = `--at:${String(atMs)}ms;--until:${String(untilMs)}ms`
  return `<aside class="slip come go" style="${placed({ left, top, width })};${times}">
    <svg class="outline"><rect/></svg>
    <p class="tag">${eye}only you see this</p>
    <div class="answer">
      <div class="thinking go" ${moments(atMs, answersAtMs - 160)}><i></i><i></i><i></i></div>
      ${body}
    </div>
  </aside>`
}

/** A part of the answer that makes its own room when its moment comes. */
export function line(content: string, atMs: number, kind = ''): string {
  return `<div class="grow" ${moments(atMs)}><div><div class="line ${kind}">${content}</div></div></div>`
}
