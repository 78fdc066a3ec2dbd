import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { State } from './state.ts'

/** The saved state that was found. `warning` tells a person that something was lost. */
interface Loaded {
  state: State | null
  warning: string | null
}

function parseState(text: string): State | null {
  try {
    return State.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Reads the state file. A file that cannot be read is kept under another name. */
export function loadState(path: string): Loaded {
  if (!existsSync(path)) return { state: null, warning: null }
  const state = parseState(readFileSync(path, 'utf8'))
  if (state) return { state, warning: null }
  const kept = `${path}.unreadable`
  renameSync(path, kept)
  return { state: null, warning: `The saved state could not be read. Started empty, kept ${kept}` }
}

/** Replaces the state file in one step, so that the file is whole even if the process is killed. */
export function saveState(path: string, state: State): void {
  const draft = `${path}.draft`
  writeFileSync(draft, JSON.stringify(state))
  renameSync(draft, path)
}
