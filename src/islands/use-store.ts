import { useSyncExternalStore } from 'react'
import type { Atom } from '../stores/atom.ts'

/** The value of an atom, kept current. While an island hydrates it is the one that the HTML of the page shows. */
export function useStore<T>({
  listen,
  get,
  initial,
}: Pick<Atom<T>, 'listen' | 'get' | 'initial'>): T {
  return useSyncExternalStore(listen, get, () => initial)
}
