/** What is open: by the browser, or in one that has no popovers by old-popovers.ts. A list in `:is` may have unknown names. */
export const POPOVER_OPEN = ':is(:popover-open, .popover-open)'

/** Resolves when popovers can be opened: at once, or before Safari 17 when our own have loaded. */
export const popovers: Promise<unknown> =
  'popover' in HTMLElement.prototype ? Promise.resolve() : import('./old-popovers.ts')

// Tab leaves a menu without closing it, and it would cover what has the focus then.
addEventListener('focusin', ({ target }) => {
  for (const menu of document.querySelectorAll<HTMLElement>(`[popover='']${POPOVER_OPEN}`)) {
    const own = `#${menu.id},[popovertarget=${menu.id}]`
    if (target instanceof Element && target.closest(own) === null) menu.hidePopover()
  }
})
