declare global {
  interface Window {
    /** All that was pressed on this page so far (the head of site/layouts/Base.astro). */
    pressed?: EventTarget[]
  }
}

/**
 * Call once, when the script of a part lives: what was pressed in it before is pressed again. Each press has a turn of
 * its own, so that one sees what the one before it did. Sending a form is not among it: the form does that itself.
 *
 * It is also written into the head of pages as text (site/layouts/account/early.ts), so it uses nothing from outside
 * of itself.
 */
export function pressAgain(part: Element) {
  for (const target of window.pressed ?? []) {
    const pressable = 'button:not([type=submit]), [type=radio]'
    const button = target instanceof Element ? target.closest<HTMLElement>(pressable) : null
    if (button === null || !part.contains(button)) continue
    setTimeout(() => {
      button.ariaBusy = null
      // React wakes a part at the first event that it gets, and sees a radio button change only from then on.
      button.dispatchEvent(new Event('mousedown', { bubbles: true }))
      // Pressed already, a radio button would not change by being pressed again.
      if (button instanceof HTMLInputElement) button.checked = false
      button.click()
    })
  }
}
