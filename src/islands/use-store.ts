import { useSyncExternalStore } from 'react'

interface Store<T> {
  listen: (onChange: () => void) => () => void
  get: () => T
  init: NoInfer<T> | undefined
}

/** The value of a store. The first render shows what the prebuilt page shows: the value that the store starts with. */
export function useStore<T>({ listen, get, init }: Store<T>): T {
  return useSyncExternalStore(listen, get, () => (init === undefined ? get() : init))
}
