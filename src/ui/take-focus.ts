import type { RefObject } from 'react'

/** Moves the focus to an element that replaces the focused one, and scrolls it into view. It can be a `ref`. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
  // WebKit's focus leaves it under the header, which scroll padding keeps clear.
  element?.scrollIntoView({ block: 'nearest' })
}

/** After what had the focus is gone, moves the focus to the part of the page around it. */
export function keepFocus(panel: Element | null | undefined) {
  if (document.activeElement !== document.body) return
  const place = panel?.isConnected ? panel : document.querySelector('main')
  if (!(place instanceof HTMLElement)) return
  place.tabIndex = -1
  takeFocus(place)
}

/** Moves the focus to an element once `done` has removed the focused one. */
export async function focusAfter(done: Promise<unknown>, ref: RefObject<HTMLElement | null>) {
  await done
  if (document.activeElement === document.body) takeFocus(ref.current)
}
