/** A value that others follow. */
export interface Atom<T> {
  /** What it was at first: the HTML of a page shows that. */
  readonly initial: T
  get: () => T
  /** Does nothing when the value is the same. */
  set: (value: T) => void
  /** Calls back after each change; what it returns ends that. */
  listen: (listener: (value: T, before: T) => void) => () => void
  /** The same, and calls back at once with the present value. */
  subscribe: (listener: (value: T, before?: T) => void) => () => void
}

/** An atom that begins with this value. */
export function atom<T>(initial: T): Atom<T> {
  let value = initial
  let listeners: readonly ((value: T, before: T) => void)[] = []

  const listen: Atom<T>['listen'] = (listener) => {
    const entry: typeof listener = (...change) => listener(...change)
    listeners = [...listeners, entry]
    return () => {
      listeners = listeners.filter((other) => other !== entry)
    }
  }

  return {
    initial,
    get: () => value,
    set: (next) => {
      if (Object.is(value, next)) return
      const before = value
      value = next
      for (const listener of listeners) listener(value, before)
    },
    listen,
    subscribe: (listener) => {
      const stop = listen(listener)
      listener(value)
      return stop
    },
  }
}
