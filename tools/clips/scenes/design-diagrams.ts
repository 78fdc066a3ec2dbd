import type { Clip } from '../clip.ts'
import { person, sharedWindow, speech } from '../parts/call.ts'
import { arrow, box, drawing } from '../parts/diagram.ts'
import { moments } from '../parts/motion.ts'
import { line, slip } from '../parts/slip.ts'
import { written } from '../parts/words.ts'

const endMs = 14_400
const size = { width: 208, height: 108 }

const many = (x: number, atMs: number): string =>
  `<text class="fade" ${moments(atMs)} x="${String(x)}" y="44">*</text>`

const upperRow = [
  box({ x: 2, y: 2, ...size, label: 'Lot', detail: 'park(vehicle)', atMs: 4200 }),
  arrow({ from: [211, 56], to: [266, 56], owns: true, atMs: 4700 }),
  many(245, 4800),
  box({ x: 268, y: 2, ...size, label: 'Level', detail: 'free(size)', atMs: 5000 }),
  arrow({ from: [477, 56], to: [532, 56], owns: true, atMs: 5500 }),
  many(511, 5600),
  box({ x: 534, y: 2, ...size, label: 'Spot', detail: 'size, taken', atMs: 5800 }),
].join('')

const ticket = { x: 268, y: 72, ...size, label: 'Ticket', detail: 'fee(now)' }
const lowerRow = [
  box({ x: 2, y: 72, ...size, label: 'Vehicle', detail: 'plate, size', atMs: 6700 }),
  box({ ...ticket, atMs: 7500 }),
  arrow({ from: [267, 126], to: [213, 126], atMs: 8000 }),
  arrow({ from: [477, 126], via: [[638, 126]], to: [638, 3], atMs: 8400 }),
  box({ ...ticket, atMs: 9000, marked: true }),
].join('')

export const designDiagrams: Clip = {
  slug: 'design-diagrams',
  title: 'Design Diagrams generated inline',
  durationMs: 15_000,
  posterAtMs: 13_400,
  cues: [
    {
      fromMs: 0,
      untilMs: 2600,
      text: 'An interviewer asks for the classes of a parking lot. The shared whiteboard is empty.',
    },
    {
      fromMs: 2600,
      untilMs: 6600,
      text: 'A slip that only you see draws a class diagram: a lot has levels, a level has spots.',
    },
    {
      fromMs: 6600,
      untilMs: 9000,
      text: 'Vehicle and Ticket follow. The ticket points at a vehicle and at a spot.',
    },
    {
      fromMs: 9000,
      untilMs: 14_400,
      text: 'Ticket is marked as the place to begin: it knows the spot and the time, so it can price the stay.',
    },
  ],
  html: [
    sharedWindow({
      left: 40,
      top: 40,
      width: 1200,
      height: 720,
      title: 'Whiteboard',
      content: '<div class="at dots"></div>',
    }),
    person({
      left: 80,
      top: 540,
      width: 272,
      height: 188,
      name: 'Jonas',
      hair: 'short',
      shade: 'sage',
      talks: [500, 2300],
    }),
    speech({
      left: 80,
      above: 540,
      width: 316,
      text: 'Sketch the classes for a parking lot.',
      atMs: 700,
      untilMs: endMs,
    }),
    slip({
      left: 440,
      top: 132,
      width: 816,
      atMs: 2300,
      untilMs: endMs,
      answersAtMs: 3200,
      body: [
        line(written('Parking lot, five classes', 3200), 3200, 'lead'),
        line(drawing(744, 111, upperRow), 4000, 'flush'),
        line(drawing(744, 182, lowerRow), 6500, 'flush'),
        line(
          written(
            'Start at Ticket: it knows the spot and the time, so it can price the stay.',
            9500,
          ),
          9400,
          'under',
        ),
      ].join(''),
    }),
  ].join(''),
}
