import { useSyncExternalStore } from 'react'

/** False in the prebuilt HTML, and until React has taken the component over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
}

/**
 * The attributes of a control that does nothing before React listens. Without autocomplete="off", Firefox would restore
 * after a reload that the control was enabled.
 */
export function useDisabledUntilHydrated() {
  return { disabled: !useHydrated(), autoComplete: 'off' } as const
}
