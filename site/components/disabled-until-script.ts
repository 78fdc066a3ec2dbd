/**
 * The attributes of a button that does nothing before its script listens, which enables it. Without autocomplete="off", Firefox
 * would restore after a reload that it was enabled. `useDisabledUntilHydrated` in src/ui is the same for React.
 */
export const DISABLED_UNTIL_SCRIPT = { disabled: true, autocomplete: 'off' } as const
