import { startersOf, watchProcesses } from './starters.ts'
import type { Stack } from './stack.ts'

/** Ends the whole stack, once, at the first sign that nobody wants it any more. Answers whether that has come. */
export function stopWithUs(stack: Stack): () => boolean {
  let stopping: Promise<void> | undefined
  const stop = (code: number) => {
    // A terminal's Ctrl-C reaches us twice or thrice: by itself and passed on by npm.
    stopping ??= stack.stop().finally(() => process.exit(code))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      stop(0)
    })
  }
  watchProcesses(startersOf(process.env), () => {
    stop(1)
  })
  return () => stopping !== undefined
}
