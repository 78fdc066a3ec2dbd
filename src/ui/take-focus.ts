/** A `ref` for an element that replaces the focused one: moves the focus there, which also scrolls it into view. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}
