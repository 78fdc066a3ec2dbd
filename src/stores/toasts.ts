import { atom } from 'nanostores'
import type { Clock, KeyValueStorage } from './environment.ts'

export type ToastKind = 'success' | 'error' | 'default'

export interface Toast {
  id: string
  kind: ToastKind
  text: string
  /** Milliseconds since the epoch. */
  endsAt: number
}

/** Milliseconds a toast stays (spec §9). */
export const TOAST_MS = { success: 3_000, error: 5_000, default: 4_000 } as const
export const TOASTS_MAX = 20
const CARRY_KEY = 'toasts'

interface Parts {
  clock: Clock
  newId: () => string
  tabStorage: KeyValueStorage
}

/** The toasts of a tab. Those still to be read when a page is left show again on the next one. */
export function createToasts({ clock, newId, tabStorage }: Parts) {
  const $toasts = atom<readonly Toast[]>([])

  function dismiss(id: string) {
    $toasts.set($toasts.get().filter((toast) => toast.id !== id))
  }

  function show(toast: Toast) {
    $toasts.set([...$toasts.get(), toast].slice(-TOASTS_MAX))
    clock.after(toast.endsAt - clock.now(), () => {
      dismiss(toast.id)
    })
  }

  function add(kind: ToastKind, text: string) {
    show({ id: newId(), kind, text, endsAt: clock.now() + TOAST_MS[kind] })
  }

  return {
    $toasts,
    dismiss,
    success: (text: string) => {
      add('success', text)
    },
    error: (text: string) => {
      add('error', text)
    },
    say: (text: string) => {
      add('default', text)
    },
    /** Call when the page is left. */
    carry() {
      const toasts = $toasts.get()
      if (toasts.length > 0) tabStorage.setItem(CARRY_KEY, JSON.stringify(toasts))
    },
    /** Call when a page starts: shows what the last one could not show to its end, for its whole time. */
    restore() {
      for (const { kind, text } of readCarried(tabStorage.getItem(CARRY_KEY))) add(kind, text)
      tabStorage.removeItem(CARRY_KEY)
    },
  }
}

export type Toasts = ReturnType<typeof createToasts>

function readCarried(text: string | null): { kind: ToastKind; text: string }[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter(isCarried) : []
  } catch {
    return []
  }
}

function isCarried(item: unknown): item is { kind: ToastKind; text: string } {
  return (
    typeof item === 'object' &&
    item !== null &&
    'text' in item &&
    typeof item.text === 'string' &&
    'kind' in item &&
    typeof item.kind === 'string' &&
    item.kind in TOAST_MS
  )
}
