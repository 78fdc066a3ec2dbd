import type { Clip } from '../clip.ts'
import { person, sharedWindow, speech } from '../parts/call.ts'
import { moments } from '../parts/motion.ts'
import { line, slip } from '../parts/slip.ts'
import { written } from '../parts/words.ts'

const endMs = 15_200
const rewrittenAtMs = 11_400

const list = ['74%', '58%', '66%']
  .map(
    (width) =>
      `<i style="width:${width}"></i><i style="width:88%;opacity:.6;margin-bottom:40px"></i>`,
  )
  .join('')

const draft = `<p class="at draft go" ${moments(0, rewrittenAtMs)}>As I already told you twice,<u class="caret"></u></p>
  <p class="at draft come go" ${moments(rewrittenAtMs + 200, endMs)}>${written('Dana, you are right to be annoyed:', rewrittenAtMs + 300)}</p>
  <p class="at draft fade" ${moments(endMs + 220)}>As I already told you twice,<u class="caret"></u></p>`

const mail = `<div class="at bars" style="left:40px;top:100px;width:276px">${list}</div>
  <div class="at" style="left:352px;top:60px;height:660px;border-left:1.5px solid var(--hairline)"></div>
  <div class="at" style="left:400px;top:92px;width:760px">
    <div style="display:flex;justify-content:space-between;align-items:baseline">
      <h1>The date, again</h1><span style="color:var(--quiet);font-size:24px">Dana, to you and nine others</span>
    </div>
    <p style="margin-top:14px">This is the third time the date has moved. Is anyone on your side actually in charge?</p>
  </div>
  <div class="at" style="left:400px;top:248px;width:760px;height:440px;border:1.5px solid var(--hairline);border-radius:12px;background:#fff"></div>
  ${draft}`

export const professionalCommunication: Clip = {
  slug: 'professional-communication',
  title: 'Professional Communication',
  durationMs: 15_800,
  posterAtMs: 10_800,
  cues: [
    {
      fromMs: 0,
      untilMs: 2800,
      text: 'A tense mail is open on a shared screen, and a sharp reply has been begun. Somebody asks for the answer to go out now.',
    },
    {
      fromMs: 2800,
      untilMs: 5000,
      text: 'A slip that only you see opens: own it, one date, one promise.',
    },
    {
      fromMs: 5000,
      untilMs: 11_400,
      text: 'It writes a calm reply: you are right to be annoyed, the new date is 14 June, and a working build comes on 7 June.',
    },
    {
      fromMs: 11_400,
      untilMs: 15_200,
      text: 'The sharp line is taken back, and the reply begins again with the calm words.',
    },
  ],
  html: [
    sharedWindow({ left: 40, top: 40, width: 1200, height: 720, title: 'Mail', content: mail }),
    person({
      left: 72,
      top: 576,
      width: 222,
      height: 152,
      name: 'Luis',
      hair: 'bare',
      shade: 'slate',
      talks: [500, 2500],
    }),
    speech({
      left: 72,
      above: 576,
      width: 280,
      text: 'Could you answer Dana now?',
      atMs: 700,
      untilMs: endMs,
    }),
    slip({
      left: 476,
      top: 366,
      width: 780,
      atMs: 2500,
      untilMs: endMs,
      answersAtMs: 3400,
      body: [
        line(written('Own it, one date, one promise', 3400), 3400, 'lead'),
        line(
          written(
            'Dana, you are right to be annoyed: this is the third date, and I own it from here.',
            4700,
          ),
          4600,
        ),
        line(
          written(
            '[[The new date is 14 June]]. On 7 June you can try a working build. If it moves again, I call you first.',
            6700,
          ),
          6600,
        ),
      ].join(''),
    }),
  ].join(''),
}
