import type { BrowserContext } from 'playwright-core'
import { z } from 'zod'

/** A press, a tap or a key: from the input to the next frame, in milliseconds, as INP counts it. */
export interface Interaction {
  ms: number
  /** The longest of its events, e.g. "pointerup". */
  event: string
}

const Entry = z.object({ id: z.number(), ms: z.number(), event: z.string() })

/**
 * Watches all pages that a window opens from now on, and returns a function that lists their interactions so far. An
 * interaction has several events; the longest is its duration. The browser rounds to 8 ms.
 */
export async function watchInteractions(context: BrowserContext): Promise<() => Interaction[]> {
  const seen = new Map<string, Interaction>()
  await context.exposeBinding('tellInteraction', ({ page }, told: unknown) => {
    const { id, ms, event } = Entry.parse(told)
    // Each document counts its own; their ids begin at a random number.
    const key = `${page.url()} ${id}`
    if (ms > (seen.get(key)?.ms ?? 0)) seen.set(key, { ms, event })
  })
  await context.addInitScript(observe)
  return () => [...seen.values()]
}

/** Runs in the page. The first input is told even when it was quicker than the threshold. */
function observe(): void {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const id = Number(Reflect.get(entry, 'interactionId'))
      if (!(id > 0)) continue
      const tell: unknown = Reflect.get(window, 'tellInteraction')
      if (typeof tell === 'function') tell({ id, ms: entry.duration, event: entry.name })
    }
  })
  observer.observe({ type: 'first-input', buffered: true })
  // 16 ms is the least that the browser takes.
  const events = { type: 'event', buffered: true, durationThreshold: 16 }
  observer.observe(events)
}
