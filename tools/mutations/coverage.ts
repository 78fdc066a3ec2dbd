import { Session } from 'node:inspector'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { pathToFileURL } from 'node:url'
import { root } from '../launcher/settings.ts'

/** A place of the code, in characters from the beginning of a file. */
export interface Place {
  file: string
  start: number
}

/** Counts what this thread executes, until it is stopped. Modules that are loaded already are not counted within functions. */
export function startCoverage(places: readonly Place[]) {
  setOptimizing(false)
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const ofFile = Map.groupBy(places.entries(), ([, { file }]) => urlOf(file))

  return {
    /** The indices of the places that were executed since the last call. */
    sinceLast: (): number[] => {
      const found: number[] = []
      session.post('Profiler.takePreciseCoverage', (error, { result }) => {
        if (error !== null) throw error
        for (const { url, functions } of result) {
          // What a module does when it is loaded, no test comes by: the first one loads it for all.
          const ranges = functions.filter(isNoModule).flatMap((one) => one.ranges)
          for (const [index, { start }] of ofFile.get(url) ?? []) {
            const innermost = ranges
              .filter(({ startOffset, endOffset }) => startOffset <= start && start < endOffset)
              .toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0]
            if ((innermost?.count ?? 0) > 0) found.push(index)
          }
        }
      })
      return found
    },
    stop: () => {
      session.disconnect()
      setOptimizing(true)
    },
  }
}

/** V8 counts no calls of functions that it has optimized. */
function setOptimizing(isOptimizing: boolean): void {
  for (const compiler of ['turbofan', 'maglev']) {
    setFlagsFromString(`--${isOptimizing ? '' : 'no-'}${compiler}`)
  }
}

const isNoModule = ({ ranges }: { ranges: { startOffset: number }[] }) =>
  ranges[0]?.startOffset !== 0

const urlOf = (file: string) => pathToFileURL(join(root, file)).href
