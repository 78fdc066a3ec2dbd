import { atom } from 'nanostores'
import { environment, onEnvironment, takeStored } from '../../lib/environment.ts'

type ToastKind = keyof typeof TOAST_MS

/** A toast for the next page. `leftAt`: when the user left the page (epoch ms). `leftMs`: the remaining time. */
interface Carried {
  kind: ToastKind
  text: string
  leftAt: number
  leftMs: number
}

export interface Toast {
  id: string
  kind: ToastKind
  text: string
  /** Milliseconds since the epoch. */
  endsAt: number
  /** True when the next page must not show it. */
  endsWithPage: boolean
}

/** Milliseconds a toast stays. */
const TOAST_MS = { success: 3_000, error: 5_000, default: 4_000 } as const
const TOASTS_MAX = 20
const CARRY_KEY = 'toasts'
/** Milliseconds the next page may take to load; older toasts are dropped. */
const CARRY_MS = 10_000
/** Milliseconds that a carried toast stays at least: most of its time may have passed before the next page came. */
const CARRIED_LEAST_MS = 2_000

/** The toasts of a tab. Those still visible when the user leaves a page show again on the next page. */
export function createToasts() {
  const { clock, newId, tabStorage } = environment
  const $toasts = atom<readonly Toast[]>([])
  const carried = takeStored<Carried[]>(tabStorage, CARRY_KEY)
  /** Since when the user has been reading them, or null. */
  let heldSince: number | null = null

  function dismiss(id: string) {
    $toasts.set($toasts.get().filter((toast) => toast.id !== id))
  }

  /** Removes the toast when its time is over, unless it is held; a toast that was held ends later. */
  function endLater({ id, endsAt }: Toast) {
    clock.after(endsAt - clock.now(), () => {
      if (heldSince === null && $toasts.get().some((now) => now.id === id && now.endsAt === endsAt))
        dismiss(id)
    })
  }

  function show(toast: Toast) {
    $toasts.set([...$toasts.get(), toast].slice(-TOASTS_MAX))
    endLater(toast)
  }

  function add(kind: ToastKind, text: string, ms: number = TOAST_MS[kind], endsWithPage = false) {
    const id = newId()
    show({ id, kind, text, endsAt: (heldSince ?? clock.now()) + ms, endsWithPage })
    return id
  }

  /** Keeps the toasts that are shown for the next page. */
  function keep() {
    const leftAt = clock.now()
    const toasts: Carried[] = $toasts
      .get()
      .filter(({ endsWithPage }) => !endsWithPage)
      .map(({ kind, text, endsAt }) => ({ kind, text, leftAt, leftMs: endsAt - leftAt }))
    if (toasts.length > 0) tabStorage.setItem(CARRY_KEY, JSON.stringify(toasts))
    else tabStorage.removeItem(CARRY_KEY)
  }
  // At once: a page with another opener policy runs in another process, which may start before this page's `pagehide`.
  const stopKeeping = $toasts.listen(keep)

  return {
    $toasts,
    dismiss,
    success: (text: string) => add('success', text),
    error: (text: string) => add('error', text),
    /** An error that only matters on this page. Returns the id of the toast. */
    errorHere: (text: string) => add('error', text, TOAST_MS.error, true),
    say: (text: string) => add('default', text),
    /** Call when the user points at the toasts or focuses one: their time stands still. */
    hold() {
      heldSince ??= clock.now()
    },
    /** Call when the user turns away: each toast stays for the time it had left. */
    release() {
      if (heldSince === null) return
      const heldMs = clock.now() - heldSince
      heldSince = null
      $toasts.set($toasts.get().map((toast) => ({ ...toast, endsAt: toast.endsAt + heldMs })))
      for (const toast of $toasts.get()) endLater(toast)
    },
    /** Call when the user leaves the page: the toasts have less time left. */
    carry() {
      keep()
      stopKeeping()
    },
    /** Call when a page starts: shows the carried toasts for the time they had left, but long enough to be read. */
    restore() {
      for (const { kind, text, leftAt, leftMs } of Array.isArray(carried) ? carried : []) {
        if (clock.now() - leftAt <= CARRY_MS) add(kind, text, Math.max(leftMs, CARRIED_LEAST_MS))
      }
    },
  }
}

/** The toasts of this page. */
export let toasts: ReturnType<typeof createToasts>
onEnvironment(() => {
  toasts = createToasts()
})
