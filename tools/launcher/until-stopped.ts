import { npmAncestors, watchProcesses } from './ancestors.ts'
import type { Stack } from './stack.ts'

/** Ends the whole stack, once, at the first sign that nobody wants it any more. */
export function stopWithUs(stack: Stack): void {
  let stopping: Promise<void> | undefined
  const stop = (code: number) => {
    // A terminal's Ctrl-C reaches us twice or thrice: by itself and passed on by npm.
    stopping ??= stack.stop().finally(() => process.exit(code))
  }
  process.on('SIGINT', () => {
    stop(0)
  })
  process.on('SIGTERM', () => {
    stop(0)
  })
  process.on('SIGHUP', () => {
    stop(0)
  })
  watchProcesses(npmAncestors(process.env), () => {
    stop(1)
  })
}
