interface Drawing {
  /** Paper and windows. */
  sheet: string
  /** Writing on them. */
  lines: string
  /** The product's overlay, and the marked line on it. */
  overlay?: string
  mark?: string
  /** The hand of a clock, a tick, a cross, or nothing, on a round stamp. */
  stamp?: string
}

const LETTER = { sheet: 'M48 26h104v66H48z', lines: 'm48 26 52 38 52-38' }
const TICK = 'm141 88 6 6 11-12'
const CROSS = 'm143 82 12 12m0-12-12 12'

const DRAWINGS = {
  paid: {
    sheet: 'M52 10h62v88l-6-6-6 6-6-6-7 6-6-6-6 6-6-6-6 6-6-6-7 6z',
    lines: 'M62 26h26M62 40h42M62 52h34M62 64h18',
    overlay: 'M92 46h64v42H92z',
    mark: 'M104 67h40',
  },
  verified: { ...LETTER, stamp: TICK },
  mailed: { ...LETTER, stamp: 'M149 80v9h7' },
  broken: { ...LETTER, stamp: CROSS },
  unpaid: { sheet: LETTER.sheet, lines: 'M48 44h104M62 74h32', stamp: CROSS },
  connected: {
    sheet: 'M14 20h80v70H14z',
    lines: 'M14 34h80M28 50h34M28 62h48M94 62h12m8 0h8',
    overlay: 'M122 40h64v44h-64z',
    mark: 'M134 62h40',
  },
  asked: {
    sheet: 'M30 12h90q8 0 8 8v22q0 8-8 8H56L42 62V50H30q-8 0-8-8V20q0-8 8-8z',
    lines: '',
    overlay: 'M88 62h82q8 0 8 8v20q0 8-8 8H88q-8 0-8-8V70q0-8 8-8z',
    mark: 'M110 80h2m15 0h2m15 0h2',
  },
  applied: {
    sheet: 'M62 10h76v92H62z',
    lines: 'M86 30a8 8 0 1 1-16 0 8 8 0 1 1 16 0M98 26h26M98 36h18M72 54h54M72 66h54M72 78h38',
    stamp: TICK,
  },
  password: {
    sheet: 'M30 38h140v40H30z',
    lines: 'M52 58h.1M68 58h.1M84 58h.1M100 58h.1M116 58h.1',
    stamp: TICK,
  },
} satisfies Record<string, Drawing>

export type PictureName = keyof typeof DRAWINGS

interface Props {
  of: PictureName
  /** Written on the sheet. */
  text?: string | undefined
}

/** A drawing of what happened, in the lines of the drawings on the landing page. */
export function Picture({ of, text }: Props) {
  const { sheet, lines, overlay, mark, stamp }: Drawing = DRAWINGS[of]
  return (
    <svg className="picture" data-of={of} viewBox="0 0 200 112" aria-hidden="true">
      <path className="picture-sheet" d={sheet} />
      <path d={lines} />
      {text !== undefined && (
        <text x="75" y="37">
          {text}
        </text>
      )}
      {overlay !== undefined && <path className="picture-overlay" d={overlay} />}
      {mark !== undefined && <path className="picture-mark" d={mark} />}
      {stamp !== undefined && (
        <g className="picture-stamp">
          <circle cx="149" cy="88" r="17" />
          <path d={stamp} />
        </g>
      )}
    </svg>
  )
}
