/** Frames of a call stack and their headings, as Rust and JavaScript print them: of no use to whoever starts a program. */
const STACK = /^\s*(\d+: |at |stack backtrace:|note: run with )/i
const TELLING = /error|panic|taken/i

/** The line of a log that says most likely why the program ended. Null when it said nothing. */
export function lastWordsOf(log: string): string | null {
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !STACK.test(line))
  const words = lines.findLast((line) => TELLING.test(line)) ?? lines.at(-1)
  return words?.trim().slice(0, 300) ?? null
}
