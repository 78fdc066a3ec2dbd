/** Everything the site keeps in the browser's own storage, by key, in the words of the privacy page. */
export const KEPT = {
  token: 'your session key',
  theme: 'your theme',
  'theme-agreed': 'the theme your account last had',
  'closed-announcement': 'which announcement you dismissed',
  toasts: 'messages to show on the next page',
  typed: 'what you had typed when you press Try Again',
  unsent: 'what you have typed into a form and not sent yet',
  'pending-purchase': 'the plan you chose before you signed in',
  'came-for': 'the address that Google leads you back to',
} as const

/** The compiler refuses to store anything under another key, so the privacy page is complete. */
export type StorageKey = keyof typeof KEPT

/** Some browsers keep nothing: `getItem` then finds nothing. */
export interface KeyValueStorage {
  getItem: (key: StorageKey) => string | null
  /** Returns whether the browser keeps the value. */
  setItem: (key: StorageKey, value: string) => boolean
  removeItem: (key: StorageKey) => void
}

/** A browser that blocks site data throws at every use of its storage. */
export function storageOf(pick: () => Storage): KeyValueStorage {
  const attempt = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(pick())
    } catch {
      return null
    }
  }
  return {
    getItem: (key) => attempt((storage) => storage.getItem(key)),
    setItem: (key, value) => attempt((storage) => storage.setItem(key, value)) !== null,
    removeItem: (key) => attempt((storage) => storage.removeItem(key)),
  }
}

/** What the browser keeps, as a part of a sentence. */
export function browserKeeps(): string {
  const kept = Object.values(KEPT)
  const numbers = 'no one two three four five six seven eight nine ten'.split(' ')
  const list = `${kept.slice(0, -1).join(', ')}, and ${kept.at(-1) ?? ''}`
  return `${numbers[kept.length] ?? kept.length} things for us in its own storage: ${list}`
}
