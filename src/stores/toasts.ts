import { atom } from 'nanostores'
import type { CallFailure } from '../api/call-endpoint.ts'
import type { Clock, KeyValueStorage } from './environment.ts'

export type ToastKind = 'success' | 'error' | 'default'

export interface Toast {
  id: string
  kind: ToastKind
  text: string
  /** Milliseconds since the epoch. */
  endsAt: number
  /** Not carried to the next page. */
  endsWithPage: boolean
}

/** Milliseconds a toast stays. */
export const TOAST_MS = { success: 3_000, error: 5_000, default: 4_000 } as const
export const TOASTS_MAX = 20
const CARRY_KEY = 'toasts'
/** Milliseconds the next page may take to load; older toasts are dropped. */
const CARRY_MS = 10_000

interface ToastsDeps {
  clock: Clock
  newId: () => string
  tabStorage: KeyValueStorage
}

/** The toasts of a tab. Those still visible when the page is left show again on the next page. */
export function createToasts({ clock, newId, tabStorage }: ToastsDeps) {
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

  function add(kind: ToastKind, text: string, ms: number = TOAST_MS[kind], endsWithPage = false) {
    const id = newId()
    show({ id, kind, text, endsAt: clock.now() + ms, endsWithPage })
    return id
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
    /** An error that only matters on this page. Returns the id of the toast. */
    errorHere: (text: string) => add('error', text, TOAST_MS.error, true),
    say: (text: string) => {
      add('default', text)
    },
    /** Call when the page is left. */
    carry() {
      const leftAt = clock.now()
      const toasts = $toasts
        .get()
        .filter(({ endsWithPage }) => !endsWithPage)
        .map(({ kind, text, endsAt }): Carried => ({
          kind,
          text,
          leftAt,
          leftMs: endsAt - leftAt,
        }))
      if (toasts.length > 0) tabStorage.setItem(CARRY_KEY, JSON.stringify(toasts))
    },
    /** Call when a page starts: shows the carried toasts for the time they had left. */
    restore() {
      for (const { kind, text, leftAt, leftMs } of readCarried(tabStorage.getItem(CARRY_KEY))) {
        if (clock.now() - leftAt <= CARRY_MS) add(kind, text, leftMs)
      }
      tabStorage.removeItem(CARRY_KEY)
    },
  }
}

export type Toasts = ReturnType<typeof createToasts>

/** Shows the failures of one form as toasts. The next attempt dismisses the toast, and so does leaving the page. */
export function createFailureToast(toasts: Toasts, fallback: string) {
  let shown: string | null = null
  const show = (text: string) => {
    shown = toasts.errorHere(text)
  }
  return {
    show,
    onAttempt: () => {
      if (shown !== null) toasts.dismiss(shown)
      shown = null
    },
    onFailure: ({ message }: CallFailure) => {
      show(message || fallback)
    },
  }
}

interface Carried {
  kind: ToastKind
  text: string
  /** When the page was left (milliseconds since the epoch) and how long the toast had left. */
  leftAt: number
  leftMs: number
}

function readCarried(text: string | null): Carried[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter(isCarried) : []
  } catch {
    return []
  }
}

function isCarried(item: unknown): item is Carried {
  return (
    typeof item === 'object' &&
    item !== null &&
    'text' in item &&
    typeof item.text === 'string' &&
    'leftAt' in item &&
    typeof item.leftAt === 'number' &&
    'leftMs' in item &&
    typeof item.leftMs === 'number' &&
    'kind' in item &&
    typeof item.kind === 'string' &&
    item.kind in TOAST_MS
  )
}
