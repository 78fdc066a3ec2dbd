import { readFile, rename, writeFile } from 'node:fs/promises'
import { State } from './state.ts'

/** Where the state is kept. `save` resolves once what it was called with is safe. */
export interface Store {
  load(): Promise<State | null>
  save(state: State): Promise<void>
}

export const memoryStore: Store = {
  load: () => Promise.resolve(null),
  save: () => Promise.resolve(),
}

function parseState(text: string): State | null {
  try {
    return State.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Keeps the state in one JSON file, written beside it and moved into place, so that a process killed at any
 * moment leaves either the old or the new state. Calls that come during a write share the next one.
 */
export function fileStore(path: string, log: (line: string) => void): Store {
  let lastWrite: Promise<void> = Promise.resolve()
  let waiting: { state: State; done: Promise<void> } | null = null

  async function write(state: State): Promise<void> {
    const draft = `${path}.draft`
    await writeFile(draft, JSON.stringify(state))
    await rename(draft, path)
  }

  /** One chain: a write begins when the one before it has ended, well or not, and from then on nobody joins it. */
  function enqueue(state: State): Promise<void> {
    const turn = { state, done: Promise.resolve() }
    turn.done = lastWrite
      .catch(() => undefined)
      .then(() => {
        waiting = null
        return write(turn.state)
      })
    waiting = turn
    lastWrite = turn.done
    return turn.done
  }

  return {
    async load() {
      const text = await readFile(path, 'utf8').catch(() => null)
      if (text === null) return null
      const state = parseState(text)
      if (state) return state
      await rename(path, `${path}.unreadable`)
      log(
        `Could not read ${path}: it was kept as ${path}.unreadable, and the emulator starts empty`,
      )
      return null
    },
    save(state) {
      if (!waiting) return enqueue(state)
      waiting.state = state
      return waiting.done
    },
  }
}
