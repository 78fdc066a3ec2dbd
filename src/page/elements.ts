/** The elements that match the selector and have this class. */
export function each<E extends HTMLElement>(selector: string, kind: new () => E): E[] {
  return [...document.querySelectorAll(selector)].flatMap((found) =>
    found instanceof kind ? [found] : [],
  )
}

/** Creates an element with a text. HTML in the text has no effect. */
export function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}
