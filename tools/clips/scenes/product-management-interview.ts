import type { Clip } from '../clip.ts'
import { person, sharedWindow, speech } from '../parts/call.ts'
import { line, slip } from '../parts/slip.ts'
import { point } from '../parts/point.ts'
import { written } from '../parts/words.ts'

const endMs = 15_200

const slide = `<div class="at" style="left:40px;top:92px;width:440px">
  <h1>Last eight weeks</h1>
  <svg class="drawing chart" width="400" height="230" style="margin-top:26px">
    <path class="axis" d="M2 222H398M2 148H398M2 74H398"/>
    <path d="M4 176L60 170L116 174L172 152L228 138L284 120L340 96L396 84"/>
    <path class="second" d="M4 92L60 96L116 90L172 104L228 128L284 146L340 170L396 186"/>
    <text x="396" y="62" text-anchor="end">Sign-ups</text>
    <text x="2" y="64" class="second">Activation</text>
  </svg>
</div>`

export const productManagementInterview: Clip = {
  slug: 'product-management-interview',
  title: 'Product Management Interview',
  durationMs: 15_800,
  posterAtMs: 14_400,
  cues: [
    {
      fromMs: 0,
      untilMs: 2800,
      text: 'A chart is shared: sign-ups rise while activation falls. The interviewer asks why.',
    },
    {
      fromMs: 2800,
      untilMs: 5800,
      text: 'A slip that only you see begins to structure the answer. Define: activated means a first project within seven days.',
    },
    {
      fromMs: 5800,
      untilMs: 9600,
      text: 'Split by channel. If every channel holds its own rate, the mix changed and not the product.',
    },
    {
      fromMs: 9600,
      untilMs: 15_200,
      text: 'Decide: mend the channel that grew, then compare again after two weeks.',
    },
  ],
  html: [
    sharedWindow({
      left: 40,
      top: 40,
      width: 1200,
      height: 720,
      title: 'Growth review',
      content: slide,
    }),
    person({
      left: 80,
      top: 576,
      width: 222,
      height: 152,
      name: 'Amara',
      hair: 'tied',
      shade: 'clay',
      talks: [500, 2500],
    }),
    speech({
      left: 80,
      above: 576,
      width: 400,
      text: 'Sign-ups are up, but activation is down. Why?',
      atMs: 700,
      untilMs: endMs,
    }),
    slip({
      left: 532,
      top: 118,
      width: 724,
      atMs: 2500,
      untilMs: endMs,
      answersAtMs: 3400,
      body: [
        line(written('Suspect the mix before the product', 3400), 3400, 'lead'),
        point({
          number: 1,
          name: 'Define',
          text: 'Activated means a first project within 7 days.',
          atMs: 4500,
        }),
        point({
          number: 2,
          name: 'Split',
          text: 'By channel. Is each one’s own rate steady?',
          atMs: 6200,
        }),
        point({
          number: 3,
          name: 'Explain',
          text: 'If so, [[the mix changed]]: more people now come from a weak channel.',
          atMs: 7900,
        }),
        point({
          number: 4,
          name: 'Decide',
          text: 'Mend that channel, compare after two weeks.',
          atMs: 10_000,
        }),
      ].join(''),
    }),
  ].join(''),
}
