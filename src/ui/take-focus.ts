import type { RefObject } from 'react'

/** Moves the focus to an element that replaces the focused one, and scrolls it into view. It can be a `ref`. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
  // WebKit's focus leaves it under the header, which scroll padding keeps clear.
  element?.scrollIntoView({ block: 'nearest' })
}

/** Moves the focus to an element once `done` has removed the focused one. */
export async function focusAfter(done: Promise<unknown>, ref: RefObject<HTMLElement | null>) {
  await done
  if (document.activeElement === document.body) takeFocus(ref.current)
}
