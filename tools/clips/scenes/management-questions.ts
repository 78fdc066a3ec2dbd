import type { Clip } from '../clip.ts'
import { person, sharedWindow } from '../parts/call.ts'
import { moments } from '../parts/motion.ts'
import { point } from '../parts/point.ts'
import { line, slip } from '../parts/slip.ts'
import { written } from '../parts/words.ts'

const endMs = 15_200

function heard(top: number, time: string, text: string, atMs?: number): string {
  const style = `left:460px;top:${String(top)}px`
  const times = atMs === undefined ? '' : `;--at:${String(atMs)}ms;--until:${String(endMs)}ms`
  const motion = atMs === undefined ? '' : 'come go'
  return `<p class="at heard ${motion}" style="${style}${times}"><time>${time}</time>${text}</p>`
}

const captions = [
  heard(100, '10:41', 'Two of the six joined in March.'),
  heard(152, '10:42', 'Then the release slipped by a week.'),
  heard(204, '10:43', 'One engineer keeps missing dates. What now?', 900),
].join('')

const remembered = `<svg class="remembered go" ${moments(0, endMs)}>
  <g class="fade" ${moments(4500)}>
    <rect x="0" y="0" width="524" height="48" rx="10"/>
    <path d="M0 24H-30V273H0"/>
  </g>
</svg>`

export const managementQuestions: Clip = {
  slug: 'management-questions',
  title: 'Management Questions',
  durationMs: 15_800,
  posterAtMs: 14_400,
  cues: [
    {
      fromMs: 0,
      untilMs: 2900,
      text: 'On a call, captions show what was said a minute ago: two of the six joined in March. Then a question: one engineer keeps missing dates, what now?',
    },
    {
      fromMs: 2900,
      untilMs: 6400,
      text: 'A slip that only you see remembers the earlier sentence and begins there: two of six are new.',
    },
    {
      fromMs: 6400,
      untilMs: 15_200,
      text: 'It gives three steps: ask in private what got in the way, agree one small date with a check halfway, tell the team what changes and never who slipped.',
    },
  ],
  html: [
    sharedWindow({
      left: 40,
      top: 40,
      width: 1200,
      height: 720,
      title: 'Panel interview',
      content: captions,
    }),
    person({
      left: 72,
      top: 132,
      width: 352,
      height: 286,
      name: 'Ingrid',
      hair: 'tied',
      shade: 'slate',
      talks: [700, 2700],
    }),
    person({
      left: 72,
      top: 442,
      width: 352,
      height: 286,
      name: 'Tomas',
      hair: 'short',
      shade: 'sand',
    }),
    remembered,
    slip({
      left: 484,
      top: 346,
      width: 772,
      atMs: 2700,
      untilMs: endMs,
      answersAtMs: 3600,
      body: [
        line(written('Ask first, then agree one date', 3600), 3600, 'lead'),
        line(written('[[Two of six are new]]: see who carries what.', 5000), 4900),
        point({ number: 1, text: 'In private: “What got in the way?”', atMs: 7000 }),
        point({ number: 2, text: 'One small date, one check halfway.', atMs: 8600 }),
        point({ number: 3, text: 'Tell the team what changes, not who slipped.', atMs: 10_200 }),
      ].join(''),
    }),
  ].join(''),
}
