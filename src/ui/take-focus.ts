/** Moves the focus to an element that replaces the focused one, and scrolls it into view. It can be a `ref`. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
  // WebKit's focus leaves it under the header, which scroll padding keeps clear.
  element?.scrollIntoView({ block: 'nearest' })
}

/** After what had the focus is gone, moves the focus to the part of the page around it. */
export function keepFocus(panel: HTMLElement | null | undefined) {
  const place = panel?.isConnected ? panel : document.querySelector('main')
  if (document.activeElement !== document.body || !place) return
  place.tabIndex = -1
  // It is in sight. Safari gives a pressed button no focus, so no dialog can give it back, and its page must not jump.
  place.focus({ preventScroll: true })
}

/** Moves the focus from a button that goes when it is pressed to the part of the page around it. */
export function leave(button: HTMLElement) {
  button.blur()
  keepFocus(button.closest('section'))
}
