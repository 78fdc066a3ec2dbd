/** Every element of a kind that a hook of the shell names. */
export function each<E extends HTMLElement>(selector: string, kind: new () => E): E[] {
  return [...document.querySelectorAll(selector)].flatMap((found) =>
    found instanceof kind ? [found] : [],
  )
}

/** A new element with text in it, safe for any text. */
export function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}
