import {
  arrow,
  box,
  drawing,
  escape,
  lead,
  line,
  markup,
  person,
  point,
  sharedWindow,
  slip,
  speech,
  timed,
  written,
} from './drawing.ts'

/** One film. Everything that moves carries its moment in milliseconds as `--at` and `--until`. */
export interface Scene {
  /** The `id` in site/content/clips.json and the file name under public/clips. */
  slug: string
  durationMs: number
  /** The moment that tells most of the story, taken as the still. */
  stillAtMs: number
  html: string
}

function interviewAssistant(): Scene {
  const untilMs = 14_400
  const code = [
    'def longest(s):',
    '    seen, start, best = {}, 0, 0',
    '    for i, ch in enumerate(s):',
    '        if seen.get(ch, -1) >= start:',
    '            start = seen[ch] + 1',
    '        seen[ch] = i',
    '        best = max(best, i - start + 1)',
    '    return best',
  ].map((text, index) => {
    const atMs = 4300 + index * 520
    const coloured = escape(text).replaceAll(/\b(def|for|in|if|return)\b/g, '<b>$1</b>')
    return line(atMs, `<div class="fade" style="${timed(atMs + 60)}">${coloured}</div>`, 'code')
  })
  const problem = `<div class="at problem">
    <h1>Longest run without a repeat</h1>
    <p>Given a string, return the length of its longest
    substring in which no character appears twice.</p>
    <code>"abcabcbb" gives 3</code>
  </div>`
  const numbers = Array.from({ length: 15 }, (_, index) => markup`<li>${index + 1}</li>`).join('')
  const editor = `<ol class="at editor">${numbers}</ol><code class="at">def longest(s):</code>`
  const say = 'Say: “One pass, so [[O(n) time]], and one map entry per distinct character.”'
  return {
    slug: 'ai-interview-assistant',
    durationMs: 15_000,
    stillAtMs: 13_400,
    html: [
      sharedWindow('interview.py', problem + editor),
      person({
        name: 'Priya',
        look: ['long', 'sand'],
        place: [80, 566, 236, 162],
        talks: [500, 2300],
      }),
      speech({ left: 80, above: 566, width: 392, text: 'Can you do it in one pass?', untilMs }),
      slip({
        ...{ left: 552, top: 104, width: 704, atMs: 2300, untilMs },
        content: [
          lead(3200, 'Sliding window, one pass'),
          ...code,
          line(8900, written(9000, say), 'apart'),
        ],
      }),
    ].join(''),
  }
}

function designDiagrams(): Scene {
  const untilMs = 14_400
  const size = { width: 208, height: 108 }
  const many = (atMs: number, x: number): string =>
    markup`<text class="fade" style="${timed(atMs)}" x="${x}" y="44">*</text>`
  const upperRow = [
    box({ atMs: 4200, x: 2, y: 2, ...size, label: 'Lot', detail: 'park(vehicle)' }),
    arrow(4700, 'owns', [211, 56], [266, 56]),
    many(4800, 245),
    box({ atMs: 5000, x: 268, y: 2, ...size, label: 'Level', detail: 'free(size)' }),
    arrow(5500, 'owns', [477, 56], [532, 56]),
    many(5600, 511),
    box({ atMs: 5800, x: 534, y: 2, ...size, label: 'Spot', detail: 'size, taken' }),
  ]
  const ticket = { x: 268, y: 72, ...size, label: 'Ticket', detail: 'fee(now)' }
  const lowerRow = [
    box({ atMs: 6700, x: 2, y: 72, ...size, label: 'Vehicle', detail: 'plate, size' }),
    box({ atMs: 7500, ...ticket }),
    arrow(8000, 'plain', [267, 126], [213, 126]),
    arrow(8400, 'plain', [477, 126], [638, 126], [638, 3]),
    box({ atMs: 9000, ...ticket, marked: true }),
  ]
  const start = 'Start at Ticket: it knows the spot and the time, so it can price the stay.'
  const asked = 'Sketch the classes for a parking lot.'
  return {
    slug: 'design-diagrams',
    durationMs: 15_000,
    stillAtMs: 13_400,
    html: [
      sharedWindow('Whiteboard', '<div class="at dots"></div>'),
      person({
        name: 'Jonas',
        look: ['short', 'sage'],
        place: [80, 540, 272, 188],
        talks: [500, 2300],
      }),
      speech({ left: 80, above: 540, width: 316, text: asked, untilMs }),
      slip({
        ...{ left: 440, top: 132, width: 816, atMs: 2300, untilMs },
        content: [
          lead(3200, 'Parking lot, five classes'),
          line(4000, drawing(744, 111, upperRow), 'flush'),
          line(6500, drawing(744, 182, lowerRow), 'flush'),
          line(9400, written(9500, start), 'under'),
        ],
      }),
    ].join(''),
  }
}

function productManagement(): Scene {
  const untilMs = 15_200
  const slide = `<div class="at slide">
    <h1>Last eight weeks</h1>
    <svg class="drawing chart" width="400" height="230">
      <path class="axis" d="M2 222H398M2 148H398M2 74H398"/>
      <path d="M4 176L60 170L116 174L172 152L228 138L284 120L340 96L396 84"/>
      <path class="second" d="M4 92L60 96L116 90L172 104L228 128L284 146L340 170L396 186"/>
      <text x="396" y="62" text-anchor="end">Sign-ups</text>
      <text x="2" y="64" class="second">Activation</text>
    </svg>
  </div>`
  const asked = 'Sign-ups are up, but activation is down. Why?'
  const explained = 'If so, [[the mix changed]]: more people now come from a weak channel.'
  return {
    slug: 'product-management-interview',
    durationMs: 15_800,
    stillAtMs: 14_400,
    html: [
      sharedWindow('Growth review', slide),
      person({
        name: 'Amara',
        look: ['tied', 'clay'],
        place: [80, 576, 222, 152],
        talks: [500, 2500],
      }),
      speech({ left: 80, above: 576, width: 400, text: asked, untilMs }),
      slip({
        ...{ left: 532, top: 118, width: 724, atMs: 2500, untilMs },
        content: [
          lead(3400, 'Suspect the mix before the product'),
          point(4500, 1, 'Activated means a first project within 7 days.', 'Define'),
          point(6200, 2, 'By channel. Is each one’s own rate steady?', 'Split'),
          point(7900, 3, explained, 'Explain'),
          point(10_000, 4, 'Mend that channel, compare after two weeks.', 'Decide'),
        ],
      }),
    ].join(''),
  }
}

function professionalCommunication(): Scene {
  const untilMs = 15_200
  const rewrittenAtMs = 11_400
  const list = ['74%', '58%', '66%']
    .map((width) => `<i style="width:${width}"></i><i class="preview"></i>`)
    .join('')
  const sharp = 'As I already told you twice,<u class="caret"></u>'
  const calm = written(rewrittenAtMs + 300, 'Dana, you are right to be annoyed:')
  const mail = `<div class="at bars">${list}</div>
    <div class="at split"></div>
    <div class="at received">
      <div class="subject"><h1>The date, again</h1><span>Dana, to you and nine others</span></div>
      <p>This is the third time the date has moved. Is anyone on your side actually in charge?</p>
    </div>
    <div class="at reply"></div>
    <p class="at draft go" style="${timed(0, rewrittenAtMs)}">${sharp}</p>
    <p class="at draft come go" style="${timed(rewrittenAtMs + 200, untilMs)}">${calm}</p>
    <p class="at draft fade" style="${timed(untilMs + 220)}">${sharp}</p>`
  const owned = 'Dana, you are right to be annoyed: this is the third date, and I own it from here.'
  const promised =
    '[[The new date is 14 June]]. On 7 June you can try a working build. If it moves again, I call you first.'
  return {
    slug: 'professional-communication',
    durationMs: 15_800,
    stillAtMs: 10_800,
    html: [
      sharedWindow('Mail', mail),
      person({
        name: 'Luis',
        look: ['bare', 'slate'],
        place: [72, 576, 222, 152],
        talks: [500, 2500],
      }),
      speech({ left: 72, above: 576, width: 280, text: 'Could you answer Dana now?', untilMs }),
      slip({
        ...{ left: 476, top: 366, width: 780, atMs: 2500, untilMs },
        content: [
          lead(3400, 'Own it, one date, one promise'),
          line(4600, written(4700, owned)),
          line(6600, written(6700, promised)),
        ],
      }),
    ].join(''),
  }
}

function systemDesign(): Scene {
  const untilMs = 15_200
  const upper = { y: 2, height: 84 }
  const lower = { y: 78, height: 84 }
  const upperRow = [
    box({ atMs: 4300, x: 2, ...upper, width: 150, label: 'Client' }),
    arrow(4900, 'plain', [153, 44], [226, 44]),
    box({ atMs: 5150, x: 228, ...upper, width: 184, label: 'Edge cache' }),
    arrow(6700, 'plain', [413, 44], [486, 44]),
    box({ atMs: 6950, x: 488, ...upper, width: 148, label: 'API' }),
    arrow(7500, 'plain', [637, 44], [708, 44]),
    box({ atMs: 7750, x: 710, ...upper, width: 138, label: 'Store' }),
  ]
  const lowerRow = [
    box({ atMs: 9100, x: 488, ...lower, width: 148, label: 'Id ranges' }),
    arrow(9350, 'plain', [562, 77], [562, 3]),
    arrow(10_900, 'later', [320, 1], [320, 75]),
    box({ atMs: 11_150, x: 228, ...lower, width: 184, label: 'Click queue' }),
    arrow(11_700, 'later', [227, 120], [155, 120]),
    box({ atMs: 11_950, x: 2, ...lower, width: 150, label: 'Counts' }),
  ]
  const reason = (fromMs: number, toMs: number, text: string): string =>
    `<p class="go" style="${timed(fromMs, toMs - 180)}">${written(fromMs, text)}</p>`
  const reasons = [
    reason(5150, 7000, '100 reads for each write: answer near the reader.'),
    reason(7000, 9000, 'A miss costs one lookup by key.'),
    reason(9000, 10_900, 'Each API server takes 1,000 ids at a time: no clashes.'),
    reason(10_900, 15_600, 'Clicks are queued, so [[counting never slows a redirect]].'),
  ].join('')
  const sketched = (atMs: number, x: number, label: string, outline: string): string => {
    const join = x === 0 ? '' : '<path d="M-34 44C-26 42 -16 46 -6 43M-15 35L-5 43L-15 51"/>'
    return markup`<g transform="translate(${x} 0)"><g class="come go" style="${timed(atMs, untilMs)}">
      ${join}<path d="${outline}"/><text x="89" y="52" text-anchor="middle">${label}</text></g></g>`
  }
  const sketch = [
    sketched(
      6300,
      0,
      'Client',
      'M6 8C60 3 120 6 172 7C175 30 173 54 172 78C118 82 62 80 8 79C4 56 5 30 6 8Z',
    ),
    sketched(
      6600,
      216,
      'Cache',
      'M6 7C64 5 118 4 173 8C176 32 174 55 171 79C116 80 60 83 7 78C5 54 6 32 6 7Z',
    ),
    sketched(
      8300,
      432,
      'API',
      'M7 6C58 8 122 4 172 6C174 28 176 56 173 80C120 79 64 81 6 80C6 55 4 30 7 6Z',
    ),
    sketched(
      8600,
      648,
      'Store',
      'M5 8C62 4 116 7 173 7C172 34 175 54 172 78C122 82 60 79 8 81C5 58 7 30 5 8Z',
    ),
  ].join('')
  const board = `<div class="at dots"></div>
    <svg class="at drawing pencil" width="830" height="90">${sketch}</svg>`
  const asked = 'A link shortener for 10,000 reads a second?'
  return {
    slug: 'system-design',
    durationMs: 15_900,
    stillAtMs: 14_600,
    html: [
      sharedWindow('Whiteboard', board),
      person({
        name: 'Mei',
        look: ['long', 'sage'],
        place: [72, 576, 222, 152],
        talks: [500, 2500],
      }),
      speech({ left: 72, above: 576, width: 244, text: asked, untilMs }),
      slip({
        ...{ left: 334, top: 124, width: 922, atMs: 2500, untilMs },
        content: [
          lead(3400, 'Make reads cheap first'),
          line(4100, drawing(850, 87, upperRow), 'flush'),
          line(8900, drawing(850, 164, lowerRow), 'flush'),
          line(5000, `<div class="steps">${reasons}</div>`, 'under'),
        ],
      }),
    ].join(''),
  }
}

function managementQuestions(): Scene {
  const untilMs = 15_200
  const heard = `<p class="at heard"><time>10:41</time>Two of the six joined in March.</p>
    <p class="at heard"><time>10:42</time>Then the release slipped by a week.</p>
    <p class="at heard come go" style="${timed(900, untilMs)}">
      <time>10:43</time>One engineer keeps missing dates. What now?
    </p>`
  const remembered = `<svg class="remembered go" style="${timed(0, untilMs)}">
    <g class="fade" style="${timed(4500)}">
      <rect x="0" y="0" width="524" height="48" rx="10"/><path d="M0 24H-30V273H0"/>
    </g>
  </svg>`
  return {
    slug: 'management-questions',
    durationMs: 15_800,
    stillAtMs: 14_400,
    html: [
      sharedWindow('Panel interview', heard),
      person({
        name: 'Ingrid',
        look: ['tied', 'slate'],
        place: [72, 132, 352, 286],
        talks: [700, 2700],
      }),
      person({ name: 'Tomas', look: ['short', 'sand'], place: [72, 442, 352, 286] }),
      remembered,
      slip({
        ...{ left: 484, top: 346, width: 772, atMs: 2700, untilMs },
        content: [
          lead(3600, 'Ask first, then agree one date'),
          line(4900, written(5000, '[[Two of six are new]]: see who carries what.')),
          point(7000, 1, 'In private: “What got in the way?”'),
          point(8600, 2, 'One small date, one check halfway.'),
          point(10_200, 3, 'Tell the team what changes, not who slipped.'),
        ],
      }),
    ].join(''),
  }
}

/** The films in the order in which the landing page shows them. */
export const scenes: readonly Scene[] = [
  interviewAssistant(),
  designDiagrams(),
  productManagement(),
  professionalCommunication(),
  systemDesign(),
  managementQuestions(),
]
