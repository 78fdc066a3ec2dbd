import type { Clip } from '../clip.ts'
import { person, sharedWindow, speech } from '../parts/call.ts'
import { line, slip } from '../parts/slip.ts'
import { escape, written } from '../parts/words.ts'

const endMs = 14_400

const code = [
  'def longest(s):',
  '    seen, start, best = {}, 0, 0',
  '    for i, ch in enumerate(s):',
  '        if seen.get(ch, -1) >= start:',
  '            start = seen[ch] + 1',
  '        seen[ch] = i',
  '        best = max(best, i - start + 1)',
  '    return best',
]

const keywords = /\b(def|for|in|if|return)\b/g

function codeLine(text: string, index: number): string {
  const coloured = escape(text).replaceAll(keywords, '<span class="kw">$1</span>')
  const atMs = 4300 + index * 520
  return line(
    `<div class="fade" style="--at:${String(atMs + 60)}ms">${coloured}</div>`,
    atMs,
    'code',
  )
}

const problem = `<div class="at" style="left:40px;top:96px;width:420px">
  <h1 style="text-wrap:balance">Longest run without a repeat</h1>
  <p class="aside" style="margin-top:20px;color:var(--quiet);text-wrap:pretty">Given a string, return the length of its longest
  substring in which no character appears twice.</p>
  <p style="margin-top:20px;font:500 24px/1.5 var(--code)">"abcabcbb" gives 3</p>
</div>`

const numbers = Array.from({ length: 15 }, (_, index) => `<li>${String(index + 1)}</li>`).join('')

const editor = `<ol class="at beside" style="left:492px;top:60px;width:708px;height:640px;padding:28px 0 0 28px;
  border-left:1.5px solid var(--hairline);color:#b9b3a5;font:500 22px/40px var(--code);list-style:none">${numbers}</ol>
  <div class="at" style="left:566px;top:88px;font:500 24px/40px var(--code)">def longest(s):</div>`

export const aiInterviewAssistant: Clip = {
  slug: 'ai-interview-assistant',
  title: 'AI Interview Assistant',
  durationMs: 15_000,
  posterAtMs: 13_400,
  cues: [
    {
      fromMs: 0,
      untilMs: 2600,
      text: 'A coding interview. The interviewer asks: can you do it in one pass?',
    },
    {
      fromMs: 2600,
      untilMs: 4300,
      text: 'A dark slip that only you see opens over the shared editor and names the approach: a sliding window.',
    },
    { fromMs: 4300, untilMs: 8800, text: 'The solution is written line by line, in Python.' },
    {
      fromMs: 8800,
      untilMs: 14_400,
      text: 'Below it stands what to say: one pass, so it takes O(n) time.',
    },
  ],
  html: [
    sharedWindow({
      left: 40,
      top: 40,
      width: 1200,
      height: 720,
      title: 'interview.py',
      content: problem + editor,
    }),
    person({
      left: 80,
      top: 566,
      width: 236,
      height: 162,
      name: 'Priya',
      hair: 'long',
      shade: 'sand',
      talks: [500, 2300],
    }),
    speech({
      left: 80,
      above: 566,
      width: 392,
      text: 'Can you do it in one pass?',
      atMs: 700,
      untilMs: endMs,
    }),
    slip({
      left: 552,
      top: 104,
      width: 704,
      atMs: 2300,
      untilMs: endMs,
      answersAtMs: 3200,
      body: [
        line(written('Sliding window, one pass', 3200), 3200, 'lead'),
        ...code.map(codeLine),
        line(
          written(
            'Say: “One pass, so [[O(n) time]], and one map entry per distinct character.”',
            9000,
          ),
          8900,
          'apart',
        ),
      ].join(''),
    }),
  ].join(''),
}
