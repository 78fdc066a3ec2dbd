// Replays what visitors do in a part of the page before its script arrives, once the part hydrates: first sets the values
// they typed or chose, then presses the buttons, in order. A part is an island, or an element with
// `data-ssr`. The heads of pages contain both functions as text, so they use nothing from outside.

/** Records presses of buttons, and does them again. Enter in a field presses the button of its form. For every page. */
export function keepEarlyPresses() {
  const kept: HTMLButtonElement[] = []

  function keep(event: Event) {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button?.closest('astro-island[ssr], [data-ssr]')) return
    // The browser would submit the form.
    event.preventDefault()
    button.ariaBusy = 'true'
    if (button.type !== 'submit' || !kept.includes(button)) kept.push(button)
  }

  async function replayPresses(part: Node) {
    for (const button of kept.filter((one) => part.contains(one))) {
      kept.splice(kept.indexOf(button), 1)
      // Replays each press in a separate task, so that the values are set and React has rendered the previous press.
      await new Promise((resolve) => setTimeout(resolve))
      button.ariaBusy = null
      // Makes React hydrate the island now: it does so at the first event, and notices changes only afterwards.
      button.dispatchEvent(new Event('mousedown', { bubbles: true }))
      button.click()
    }
  }

  addEventListener('click', keep, true)
  const replay = ({ target }: Event) => {
    if (target instanceof Node) void replayPresses(target)
  }
  addEventListener('astro:hydrate', replay, true)
}

/** Sets the values again. For pages with fields, which is all but the landing page (site/layouts/account/early.ts). */
export function replayEarlyValues() {
  /** Reads all values before it sets the first one, because setting one makes React render the others again. */
  function replayValues(part: Element) {
    const controls = [...part.querySelectorAll<HTMLInputElement>('input, select, textarea')]
    const found = controls.map((control) => ({
      control,
      value: control.value,
      checked: control.checked,
    }))
    for (const { control, value, checked } of found) {
      const { type, defaultValue } = control
      if (type === 'checkbox' || type === 'radio') {
        if (checked === control.defaultChecked || (type === 'radio' && !checked)) continue
        wake(control)
        control.checked = !checked
        control.click()
      } else if (value !== defaultValue) {
        wake(control)
        // React detects typing by a value that differs from the last one set on the element itself.
        control.value = defaultValue
        Reflect.set(Object.getPrototypeOf(control), 'value', value, control)
        for (const name of ['input', 'change']) {
          control.dispatchEvent(new Event(name, { bubbles: true }))
        }
      }
    }
  }

  /** Makes React hydrate, as above. */
  function wake(element: Element) {
    element.dispatchEvent(new Event('mousedown', { bubbles: true }))
  }

  const replay = ({ target }: Event) => {
    if (target instanceof Element) replayValues(target)
  }
  addEventListener('astro:hydrate', replay, true)
}

/** Call when a part with `data-ssr` listens to its events. For islands, Astro's own event does this. */
export function announceHydrated(part: Element) {
  part.removeAttribute('data-ssr')
  part.dispatchEvent(new Event('astro:hydrate'))
}
