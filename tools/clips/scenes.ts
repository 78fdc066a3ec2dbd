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
  overlay,
  speech,
  timed,
  written,
} from './drawing.ts'

/** One film. Everything that moves carries its moment in milliseconds as `--at` and `--until`. */
export interface Scene {
  /** The `id` in site/components/Films.astro and the file name under public/clips. */
  slug: string
  durationMs: number
  /** The moment that tells most of the story, taken as the still. */
  stillAtMs: number
  /** Where the part for narrow screens begins, which is as wide as the film is high. */
  narrowLeft: number
  html: string
}

/** Two whole loops fit into the 20 s that the page gives a film, at 1.25 times its speed. */
const durationMs = 12_500

function interviewAssistant(): Scene {
  const untilMs = 11_900
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
    const typed = index === 0 ? escape(text) : written(4300 + index * 620, text, 110)
    const coloured = typed.replaceAll(/\b(def|for|in|if|return)\b(?=[ <])/g, '<b>$1</b>')
    const times = timed(0, index === 0 ? durationMs : untilMs)
    return `<li><span class="go" style="${times}">${coloured}</span></li>`
  })
  const problem = `<div class="at problem">
    <h1>Longest run without a repeat</h1>
    <code>"abcabcbb" gives 3</code>
  </div>`
  const say = 'Say: “One pass, so [[O(n) time]].”'
  return {
    slug: 'ai-interview-assistant',
    durationMs,
    stillAtMs: 11_200,
    narrowLeft: 0,
    html: [
      sharedWindow('interview.py', `${problem}<ol class="at editor">${code.join('')}</ol>`),
      person({
        name: 'Priya',
        look: ['long', 'sand'],
        place: [980, 566, 236, 162],
        talks: [400, 1900],
      }),
      speech({ left: 824, above: 566, width: 392, text: 'Can you do it in one pass?', untilMs }),
      overlay({
        ...{ left: 24, top: 292, width: 612, atMs: 1900, untilMs },
        content: [
          lead(2600, 'Sliding window, one pass'),
          point(3400, 1, 'Note where each character was last.'),
          point(4600, 2, 'Seen inside the window? Move its start just past it.'),
          point(6200, 3, 'Keep the longest window.'),
          line(7800, written(7900, say), 'apart'),
        ],
      }),
    ].join(''),
  }
}

function designDiagrams(): Scene {
  const untilMs = 12_000
  const size = { width: 192, height: 108 }
  const many = (atMs: number, x: number): string =>
    markup`<text class="fade" style="${timed(atMs)}" x="${x}" y="44">*</text>`
  const upperRow = [
    box({ atMs: 3500, x: 2, y: 2, ...size, label: 'Lot', detail: 'park(vehicle)' }),
    arrow(3920, 'owns', [195, 56], [246, 56]),
    many(4000, 225),
    box({ atMs: 4170, x: 248, y: 2, ...size, label: 'Level', detail: 'free(size)' }),
    arrow(4580, 'owns', [441, 56], [492, 56]),
    many(4670, 471),
    box({ atMs: 4830, x: 494, y: 2, ...size, label: 'Spot', detail: 'size, taken' }),
  ]
  const ticket = { x: 248, y: 72, ...size, label: 'Ticket', detail: 'fee(now)' }
  const lowerRow = [
    box({ atMs: 5580, x: 2, y: 72, ...size, label: 'Vehicle', detail: 'plate, size' }),
    box({ atMs: 6250, ...ticket }),
    arrow(6670, 'plain', [247, 126], [197, 126]),
    arrow(7000, 'plain', [441, 126], [590, 126], [590, 3]),
    box({ atMs: 7500, ...ticket, marked: true }),
  ]
  const start = 'Start at Ticket: it knows the spot and the time, so it can price the stay.'
  const asked = 'Sketch the classes for a parking lot.'
  return {
    slug: 'design-diagrams',
    durationMs,
    stillAtMs: 11_170,
    narrowLeft: 472,
    html: [
      sharedWindow('Whiteboard', '<div class="at dots"></div>'),
      person({
        name: 'Jonas',
        look: ['short', 'sage'],
        place: [80, 540, 272, 188],
        talks: [420, 1920],
      }),
      speech({ left: 80, above: 540, width: 316, text: asked, untilMs }),
      overlay({
        ...{ left: 496, top: 132, width: 760, atMs: 1920, untilMs },
        content: [
          lead(2670, 'Parking lot, five classes'),
          line(3330, drawing(688, 111, upperRow), 'flush'),
          line(5420, drawing(688, 182, lowerRow), 'flush'),
          line(7830, written(7920, start), 'under'),
        ],
      }),
    ].join(''),
  }
}

function productManagement(): Scene {
  const untilMs = 12_030
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
    durationMs,
    stillAtMs: 11_390,
    narrowLeft: 472,
    html: [
      sharedWindow('Growth review', slide),
      person({
        name: 'Amara',
        look: ['tied', 'clay'],
        place: [80, 576, 222, 152],
        talks: [400, 1980],
      }),
      speech({ left: 80, above: 576, width: 400, text: asked, untilMs }),
      overlay({
        ...{ left: 532, top: 118, width: 724, atMs: 1980, untilMs },
        content: [
          lead(2690, 'Suspect the mix before the product'),
          point(3560, 1, 'Activated means a first project within 7 days.', 'Define'),
          point(4910, 2, 'By channel. Is each one’s own rate steady?', 'Split'),
          point(6250, 3, explained, 'Explain'),
          point(7910, 4, 'Mend that channel, compare after two weeks.', 'Decide'),
        ],
      }),
    ].join(''),
  }
}

function professionalCommunication(): Scene {
  const untilMs = 12_030
  const rewrittenAtMs = 9020
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
    durationMs,
    stillAtMs: 8540,
    narrowLeft: 472,
    html: [
      sharedWindow('Mail', mail),
      person({
        name: 'Luis',
        look: ['bare', 'slate'],
        place: [72, 576, 222, 152],
        talks: [400, 1980],
      }),
      speech({ left: 72, above: 576, width: 280, text: 'Could you answer Dana now?', untilMs }),
      overlay({
        ...{ left: 476, top: 366, width: 780, atMs: 1980, untilMs },
        content: [
          lead(2690, 'Own it, one date, one promise'),
          line(3640, written(3720, owned)),
          line(5220, written(5300, promised)),
        ],
      }),
    ].join(''),
  }
}

function systemDesign(): Scene {
  const untilMs = 11_950
  const upper = { y: 2, height: 84 }
  const lower = { y: 78, height: 84 }
  const upperRow = [
    box({ atMs: 3380, x: 2, ...upper, width: 130, label: 'Client' }),
    arrow(3850, 'plain', [133, 44], [174, 44]),
    box({ atMs: 4050, x: 176, ...upper, width: 176, label: 'Edge cache' }),
    arrow(5270, 'plain', [353, 44], [394, 44]),
    box({ atMs: 5460, x: 396, ...upper, width: 118, label: 'API' }),
    arrow(5900, 'plain', [515, 44], [556, 44]),
    box({ atMs: 6090, x: 558, ...upper, width: 128, label: 'Store' }),
  ]
  const lowerRow = [
    box({ atMs: 7150, x: 385, ...lower, width: 140, label: 'Id ranges' }),
    arrow(7350, 'plain', [455, 77], [455, 3]),
    arrow(8570, 'later', [264, 1], [264, 75]),
    box({ atMs: 8770, x: 176, ...lower, width: 176, label: 'Click queue' }),
    arrow(9200, 'later', [175, 120], [135, 120]),
    box({ atMs: 9390, x: 2, ...lower, width: 130, label: 'Counts' }),
  ]
  const reason = (fromMs: number, toMs: number, text: string): string =>
    `<p class="go" style="${timed(fromMs, toMs - 180)}">${written(fromMs, text)}</p>`
  const reasons = [
    reason(4050, 5500, '100 reads for each write: answer near the reader.'),
    reason(5500, 7080, 'A miss costs one lookup by key.'),
    reason(7080, 8570, 'Each API server takes 1,000 ids at a time: no clashes.'),
    reason(8570, 12_260, 'Clicks are queued, so [[counting never slows a redirect]].'),
  ].join('')
  const sketched = (atMs: number, x: number, label: string, outline: string): string => {
    const join = x === 0 ? '' : '<path d="M-34 44C-26 42 -16 46 -6 43M-15 35L-5 43L-15 51"/>'
    return markup`<g transform="translate(${x} 0)"><g class="come go" style="${timed(atMs, untilMs)}">
      ${join}<path d="${outline}"/><text x="89" y="52" text-anchor="middle">${label}</text></g></g>`
  }
  const sketch = [
    sketched(
      4950,
      0,
      'Client',
      'M6 8C60 3 120 6 172 7C175 30 173 54 172 78C118 82 62 80 8 79C4 56 5 30 6 8Z',
    ),
    sketched(
      5190,
      216,
      'Cache',
      'M6 7C64 5 118 4 173 8C176 32 174 55 171 79C116 80 60 83 7 78C5 54 6 32 6 7Z',
    ),
    sketched(
      6530,
      432,
      'API',
      'M7 6C58 8 122 4 172 6C174 28 176 56 173 80C120 79 64 81 6 80C6 55 4 30 7 6Z',
    ),
    sketched(
      6760,
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
    durationMs,
    stillAtMs: 11_480,
    narrowLeft: 472,
    html: [
      sharedWindow('Whiteboard', board),
      person({
        name: 'Mei',
        look: ['long', 'sage'],
        place: [72, 576, 222, 152],
        talks: [390, 1970],
      }),
      speech({ left: 72, above: 576, width: 244, text: asked, untilMs }),
      overlay({
        ...{ left: 496, top: 104, width: 760, atMs: 1970, untilMs },
        content: [
          lead(2670, 'Make reads cheap first'),
          line(3220, drawing(688, 87, upperRow), 'flush'),
          line(7000, drawing(688, 164, lowerRow), 'flush'),
          line(3930, `<div class="steps">${reasons}</div>`, 'under'),
        ],
      }),
    ].join(''),
  }
}

function managementQuestions(): Scene {
  const untilMs = 12_030
  const heard = `<p class="at heard"><time>10:41</time>Two of the six joined in March.</p>
    <p class="at heard"><time>10:42</time>Then the release slipped by a week.</p>
    <p class="at heard come go" style="${timed(710, untilMs)}">
      <time>10:43</time>One engineer keeps missing dates. What now?
    </p>`
  const remembered = `<svg class="remembered go" style="${timed(0, untilMs)}">
    <g class="fade" style="${timed(3560)}">
      <rect x="0" y="0" width="524" height="48" rx="10"/><path d="M0 24H-30V273H0"/>
    </g>
  </svg>`
  return {
    slug: 'management-questions',
    durationMs,
    stillAtMs: 11_390,
    narrowLeft: 472,
    html: [
      sharedWindow('Panel interview', heard),
      person({
        name: 'Ingrid',
        look: ['tied', 'slate'],
        place: [72, 132, 352, 286],
        talks: [550, 2140],
      }),
      // The screen of the other side: the same words, and no overlay.
      `<figure class="person theirs">${heard}<figcaption>What they see</figcaption></figure>`,
      remembered,
      overlay({
        ...{ left: 484, top: 346, width: 772, atMs: 2140, untilMs },
        content: [
          lead(2850, 'Ask first, then agree one date'),
          line(3880, written(3960, '[[Two of six are new]]: see who carries what.')),
          point(5540, 1, 'In private: “What got in the way?”'),
          point(6800, 2, 'One small date, one check halfway.'),
          point(8070, 3, 'Tell the team what changes, not who slipped.'),
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
