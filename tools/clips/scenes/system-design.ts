import type { Clip } from '../clip.ts'
import { person, sharedWindow, speech } from '../parts/call.ts'
import { arrow, box, drawing } from '../parts/diagram.ts'
import { moments } from '../parts/motion.ts'
import { line, slip } from '../parts/slip.ts'
import { written } from '../parts/words.ts'

const endMs = 15_200

const row = { y: 2, height: 84 }
const rowHeight = 87

const upperRow = [
  box({ x: 2, ...row, width: 150, label: 'Client', atMs: 4300 }),
  arrow({ from: [153, 44], to: [226, 44], atMs: 4900 }),
  box({ x: 228, ...row, width: 184, label: 'Edge cache', atMs: 5150 }),
  arrow({ from: [413, 44], to: [486, 44], atMs: 6700 }),
  box({ x: 488, ...row, width: 148, label: 'API', atMs: 6950 }),
  arrow({ from: [637, 44], to: [708, 44], atMs: 7500 }),
  box({ x: 710, ...row, width: 138, label: 'Store', atMs: 7750 }),
].join('')

const lower = { y: 78, height: 84 }
const lowerRow = [
  box({ x: 488, ...lower, width: 148, label: 'Id ranges', atMs: 9100 }),
  arrow({ from: [562, 77], to: [562, 3], atMs: 9350 }),
  arrow({ from: [320, 1], to: [320, 75], later: true, atMs: 10_900 }),
  box({ x: 228, ...lower, width: 184, label: 'Click queue', atMs: 11_150 }),
  arrow({ from: [227, 120], to: [155, 120], later: true, atMs: 11_700 }),
  box({ x: 2, ...lower, width: 150, label: 'Counts', atMs: 11_950 }),
].join('')

const reasons = [
  ['100 reads for each write: answer near the reader.', 5150],
  ['A miss costs one lookup by key.', 7000],
  ['Each API server takes 1,000 ids at a time: no clashes.', 9000],
  ['Clicks are queued, so [[counting never slows a redirect]].', 10_900],
] as const

const steps = reasons
  .map(([text, atMs], index) => {
    const untilMs = reasons[index + 1]?.[1] ?? endMs + 400
    return `<p class="go" ${moments(atMs, untilMs - 180)}>${written(text, atMs)}</p>`
  })
  .join('')

const sketched = [
  [
    'M6 8C60 3 120 6 172 7C175 30 173 54 172 78C118 82 62 80 8 79C4 56 5 30 6 8Z',
    0,
    'Client',
    6300,
  ],
  [
    'M6 7C64 5 118 4 173 8C176 32 174 55 171 79C116 80 60 83 7 78C5 54 6 32 6 7Z',
    216,
    'Cache',
    6600,
  ],
  ['M7 6C58 8 122 4 172 6C174 28 176 56 173 80C120 79 64 81 6 80C6 55 4 30 7 6Z', 432, 'API', 8300],
  [
    'M5 8C62 4 116 7 173 7C172 34 175 54 172 78C122 82 60 79 8 81C5 58 7 30 5 8Z',
    648,
    'Store',
    8600,
  ],
] as const

const sketch = sketched
  .map(([outline, x, label, atMs]) => {
    const join = x === 0 ? '' : `<path d="M-34 44C-26 42 -16 46 -6 43M-15 35L-5 43L-15 51"/>`
    return `<g transform="translate(${String(x)} 0)"><g class="come go" ${moments(atMs, endMs)}>${join}
      <path d="${outline}"/><text x="89" y="52" text-anchor="middle">${label}</text></g></g>`
  })
  .join('')

const board = `<div class="at dots"></div>
  <svg class="at drawing pencil" style="left:304px;top:604px" width="830" height="90">${sketch}</svg>`

export const systemDesign: Clip = {
  slug: 'system-design',
  title: 'System Design & Architecture',
  durationMs: 15_900,
  posterAtMs: 14_600,
  cues: [
    {
      fromMs: 0,
      untilMs: 2800,
      text: 'In a design interview somebody asks for a link shortener with ten thousand reads a second.',
    },
    {
      fromMs: 2800,
      untilMs: 6700,
      text: 'A slip that only you see draws a client and an edge cache: most requests are reads, so they are answered near the reader.',
    },
    {
      fromMs: 6700,
      untilMs: 9000,
      text: 'An API and a store follow. You draw the same boxes on the shared board, in your own hand.',
    },
    {
      fromMs: 9000,
      untilMs: 15_200,
      text: 'Ranges of ids avoid clashes, and clicks go through a queue so that counting never slows a redirect.',
    },
  ],
  html: [
    sharedWindow({
      left: 40,
      top: 40,
      width: 1200,
      height: 720,
      title: 'Whiteboard',
      content: board,
    }),
    person({
      left: 72,
      top: 576,
      width: 222,
      height: 152,
      name: 'Mei',
      hair: 'long',
      shade: 'sage',
      talks: [500, 2500],
    }),
    speech({
      left: 72,
      above: 576,
      width: 244,
      text: 'A link shortener for 10,000 reads a second?',
      atMs: 700,
      untilMs: endMs,
    }),
    slip({
      left: 334,
      top: 124,
      width: 922,
      atMs: 2500,
      untilMs: endMs,
      answersAtMs: 3400,
      body: [
        line(written('Make reads cheap first', 3400), 3400, 'lead'),
        line(drawing(850, rowHeight, upperRow), 4100, 'flush'),
        line(drawing(850, 164, lowerRow), 8900, 'flush'),
        line(`<div class="steps">${steps}</div>`, 5000, 'under'),
      ].join(''),
    }),
  ].join(''),
}
