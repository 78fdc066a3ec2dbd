/**
 * Keeps what people do to a part of the page before its script has arrived, and does it once the part is hydrated: what
 * they typed and chose is put in anew, then buttons they pressed and forms they sent follow in order. A part is an
 * island, or any element with `data-ssr`.
 *
 * It stands in the head of every page as text (site/layouts/Base.astro), so it uses nothing from outside of itself.
 */
export function keepEarlyInput() {
  const kept: (HTMLButtonElement | HTMLFormElement)[] = []

  function keepClick({ target }: Event) {
    const button = target instanceof Element ? target.closest('button:not([type=submit])') : null
    if (!(button instanceof HTMLButtonElement) || !isEarly(button)) return
    button.ariaBusy = 'true'
    kept.push(button)
  }

  function keepSubmit(event: SubmitEvent) {
    const { target, submitter } = event
    if (!(target instanceof HTMLFormElement) || !isEarly(target)) return
    event.preventDefault()
    if (submitter !== null) submitter.ariaBusy = 'true'
    if (!kept.includes(target)) kept.push(target)
  }

  function isEarly(element: Element) {
    return element.closest('astro-island[ssr], [data-ssr]') !== null
  }

  /** All values are read before the first is put in, since React then draws the other controls anew. */
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
        // React takes a value for typed when it differs from the last one set on the element itself.
        control.value = defaultValue
        Reflect.set(Object.getPrototypeOf(control), 'value', value, control)
        for (const name of ['input', 'change']) {
          control.dispatchEvent(new Event(name, { bubbles: true }))
        }
      }
    }
  }

  async function replayPresses(part: Element) {
    for (const pressed of kept.filter((element) => part.contains(element))) {
      kept.splice(kept.indexOf(pressed), 1)
      // A turn for each: it sees what the one before it did, and the whole page is at work by then.
      await new Promise((resolve) => setTimeout(resolve))
      for (const button of [pressed, ...pressed.querySelectorAll('button')]) button.ariaBusy = null
      wake(pressed)
      if (pressed instanceof HTMLFormElement) pressed.requestSubmit()
      else pressed.click()
    }
  }

  /** React hydrates an island at its first event, and has to have done so before it can see what changes. */
  function wake(element: Element) {
    element.dispatchEvent(new Event('mousedown', { bubbles: true }))
  }

  addEventListener('click', keepClick, true)
  addEventListener('submit', keepSubmit, true)
  const replay = ({ target }: Event) => {
    if (!(target instanceof Element)) return
    replayValues(target)
    void replayPresses(target)
  }
  addEventListener('astro:hydrate', replay, true)
}

/** Call once a part with `data-ssr` listens to its events. Islands say so themselves. */
export function announceHydrated(part: Element) {
  part.removeAttribute('data-ssr')
  part.dispatchEvent(new Event('astro:hydrate'))
}
