/** One request to the emulator. The key's id is kept, its secret never. */
export interface JournalEntry {
  at: number
  method: string
  path: string
  keyId: string | null
  status: number | null
  fault: string | null
}

const keptEntries = 1000

export interface Journal {
  add(entry: JournalEntry): void
  list(): JournalEntry[]
  clear(): void
}

export function createJournal(): Journal {
  let entries: JournalEntry[] = []
  return {
    add(entry) {
      entries.push(entry)
      if (entries.length > keptEntries) entries = entries.slice(-keptEntries)
    },
    list: () => entries,
    clear() {
      entries = []
    },
  }
}
