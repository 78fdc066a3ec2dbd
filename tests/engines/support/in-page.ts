// What runs in the page. Each function is sent as its text, so it uses nothing from outside of itself.

/** Keeps the errors of this page and of those before it in the session's storage. */
export function collectConsoleErrors(): void {
  if ('isHeard' in window || location.protocol === 'about:') return
  Object.assign(window, { isHeard: true })
  const complain = (text: string) => {
    const earlier: string[] = JSON.parse(sessionStorage.getItem('complaints') ?? '[]')
    sessionStorage.setItem('complaints', JSON.stringify([...earlier, text]))
  }
  addEventListener('error', ({ message }) => complain(message))
  addEventListener('unhandledrejection', ({ reason }) => complain(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    complain(`${violatedDirective} forbids ${blockedURI}`),
  )
  const log = console.error.bind(console)
  console.error = (...words: unknown[]) => {
    complain(words.map(String).join(' '))
    log(...words)
  }
}

/** Takes what was collected. */
export function takeConsoleErrors(): string[] {
  const complaints = sessionStorage.getItem('complaints') ?? '[]'
  sessionStorage.removeItem('complaints')
  return JSON.parse(complaints)
}

/** How a control is found: a field by its label, anything to press by its name. */
export interface Wanted {
  what: 'control' | 'field'
  name: string
}

/** The middle of that control, scrolled into view; null until it is there, enabled, and nothing covers it. */
export function locate({ what, name }: Wanted): { x: number; y: number } | null {
  const words = (text: string | null | undefined) => text?.replaceAll(/\s+/g, ' ').trim() ?? ''
  // WebKit leaves words that only a screen reader gets out of innerText.
  const isNamed = (element: HTMLElement) =>
    [element.getAttribute('aria-label'), element.innerText, element.textContent].some((text) =>
      words(text).endsWith(name),
    )
  const controls = document.querySelectorAll<HTMLElement>('button, a[href], summary, [role=tab]')
  const labelled = [...document.querySelectorAll('label')].filter(
    (label) => words(label.innerText) === name || words(label.innerText).startsWith(`${name} `),
  )
  const found: (HTMLElement | null)[] =
    what === 'field' ? labelled.map(({ control }) => control) : [...controls].filter(isNamed)
  for (const element of found) {
    if (!element?.checkVisibility() || element.matches(':disabled')) continue
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)]
    const hit = document.elementFromPoint(x, y)
    const isPage = hit === null || hit === document.body || hit === document.documentElement
    if (isPage || !(element.contains(hit) || hit.contains(element))) continue
    document.documentElement.dataset['awaitsPress'] = 'yes'
    hit.addEventListener('pointerdown', () => {
      delete document.documentElement.dataset['awaitsPress']
    })
    return { x, y }
  }
  return null
}

/** Whether what was located last has not been pressed: it moved away under the pointer. */
export function wasMissed(): boolean {
  return document.documentElement.dataset['awaitsPress'] === 'yes'
}
