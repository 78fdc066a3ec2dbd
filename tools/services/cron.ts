/** The five fields' ranges, in the order they are written. */
const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

/** Whether a cron line (five fields, UTC, with lists, ranges and steps) is due in the minute of `at`. */
export function isDue(cron: string, at: Date): boolean {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== 5) throw new Error(`Not a cron line of five fields: ${cron}`)
  const values = [
    at.getUTCMinutes(),
    at.getUTCHours(),
    at.getUTCDate(),
    at.getUTCMonth() + 1,
    at.getUTCDay(),
  ]
  return ranges.every(([low, high], index) => {
    const value = values[index] ?? 0
    // Sunday is 0 and 7.
    const same = index === 4 && value === 0 ? [0, 7] : [value]
    return same.some((one) => matches(fields[index] ?? '*', one, low, high))
  })
}

function matches(field: string, value: number, low: number, high: number): boolean {
  return field.split(',').some((part) => {
    const [span = '*', step = '1'] = part.split('/')
    const [from, to] =
      span === '*' ? [low, high] : bounds(span, part.includes('/') ? high : undefined)
    return value >= from && value <= to && (value - from) % Number(step) === 0
  })
}

function bounds(span: string, openEnd: number | undefined): [number, number] {
  const [from = '', to] = span.split('-')
  return [Number(from), to === undefined ? (openEnd ?? Number(from)) : Number(to)]
}

/** Calls `run` for each cron line that is due, at every full minute, until the returned function is called. */
export function everyMinute(crons: string[], run: (cron: string, at: Date) => void): () => void {
  let timer = setTimeout(tick, untilNextMinute())
  function tick() {
    const now = new Date()
    for (const cron of crons) if (isDue(cron, now)) run(cron, now)
    timer = setTimeout(tick, untilNextMinute())
  }
  return () => {
    clearTimeout(timer)
  }
}

// A little late on purpose: a timer that fires a millisecond early would run the same minute twice.
const untilNextMinute = () => 60_050 - (Date.now() % 60_000)

/** Runs the Worker's scheduled() now, through the door that local runtimes have for it. Throws when it failed. */
export async function fireCron(origin: string, cron: string, at: Date): Promise<void> {
  const query = new URLSearchParams({ cron, time: String(at.getTime()) })
  const response = await fetch(`${origin}/cdn-cgi/local/scheduled?${query}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`answered ${response.status} ${text.slice(0, 200)}`)
}
