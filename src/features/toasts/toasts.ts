import { atom } from 'nanostores'
import { environment, onEnvironment, takeStored } from '../../lib/environment.ts'

type ToastKind = keyof typeof TOAST_MS

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
/** Milliseconds after its end for which the next page may still show a toast: it takes some to load. */
const CARRY_MS = 10_000
/** Milliseconds that a carried toast stays at least: most of its time may have passed before the next page came. */
const CARRIED_LEAST_MS = 2_000

/** The toasts of a tab. Those still visible when the user leaves a page show again on the next page. */
export function createToasts() {
  const { clock, newId, tabStorage } = environment
  const $toasts = atom<readonly Toast[]>([])
  const carried = takeStored<Toast[]>(tabStorage, CARRY_KEY)
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

  // Kept for the next page at once: with another opener policy it runs in another process, which may start before `pagehide`.
  $toasts.listen((list) => {
    const kept = list.filter(({ endsWithPage }) => !endsWithPage)
    if (kept.length > 0) tabStorage.setItem(CARRY_KEY, JSON.stringify(kept))
    else tabStorage.removeItem(CARRY_KEY)
  })

  return {
    $toasts,
    dismiss,
    success: (text: string) => add('success', text),
    error: (text: string) => add('error', text),
    /** An error that only matters on this page. Returns the id of the toast. */
    errorHere: (text: string) => add('error', text, TOAST_MS.error, true),
    info: (text: string) => add('default', text),
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
    /** Call when a page starts: shows the toasts of the page before for the time they have left, but long enough to be read. */
    restore() {
      for (const { kind, text, endsAt } of Array.isArray(carried) ? carried : []) {
        const leftMs = endsAt - clock.now()
        if (leftMs >= -CARRY_MS) add(kind, text, Math.max(leftMs, CARRIED_LEAST_MS))
      }
    },
  }
}

/** The toasts of this page. */
export let toasts: ReturnType<typeof createToasts>
onEnvironment(() => {
  toasts = createToasts()
})
