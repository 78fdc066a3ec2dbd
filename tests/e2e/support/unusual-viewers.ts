import type { BrowserContext } from 'playwright-core'
import type { PageOptions } from '../../harness/open-page.ts'

/** React says that it draws an island anew, because somebody changed the prebuilt HTML. */
const ANEW = /React error #418|Hydration failed/

/**
 * Viewers of a journey whom an up-to-date browser with nothing in it does not stand for: between them they have all that
 * such a browser has, and the other tests have one.
 */
export const UNUSUAL: [who: string, options: PageOptions][] = [
  ['in Safari 15.6', { prepare: asSafari15 }],
  ['on a translated page beside an extension', { prepare: asTranslatedAndAdorned, mayLog: ANEW }],
]

async function asTranslatedAndAdorned(context: BrowserContext): Promise<void> {
  await asTranslated(context)
  await besideExtension(context)
}

/** Takes from Chromium what Safari 15.6 lacks, before any script of the page runs. Syntax and styles are checked as built. */
export async function asSafari15(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window !== top) return
    const lacks: [object, string[]][] = [
      [Array, ['fromAsync']],
      [Array.prototype, ['toSorted', 'toReversed', 'toSpliced', 'with']],
      [String.prototype, ['isWellFormed', 'toWellFormed']],
      [Promise, ['withResolvers', 'try']],
      [Object, ['groupBy']],
      [Map, ['groupBy']],
      [URL, ['parse', 'canParse']],
      [AbortSignal, ['timeout', 'any']],
      [Response, ['json']],
      [Element.prototype, ['checkVisibility', 'setHTMLUnsafe', 'getHTML', 'moveBefore']],
      [HTMLElement.prototype, ['popover', 'showPopover', 'hidePopover', 'togglePopover']],
      [HTMLDialogElement.prototype, ['requestClose', 'closedBy']],
      [Document.prototype, ['startViewTransition']],
      [Navigator.prototype, ['userActivation', 'userAgentData']],
      // It is missing where the connection is not safe, such as in an empty page.
      [
        Reflect.get(window, 'PublicKeyCredential') ?? {},
        ['isConditionalMediationAvailable', 'getClientCapabilities'],
      ],
      [
        window,
        [
          ...['ToggleEvent', 'requestIdleCallback', 'cancelIdleCallback', 'navigation', 'Iterator'],
          ...['CompressionStream', 'DecompressionStream', 'CloseWatcher', 'scheduler'],
        ],
      ],
    ]
    for (const [owner, names] of lacks)
      for (const name of names) Reflect.deleteProperty(owner, name)

    // A selector with an unknown name is a syntax error, unless it stands in a list of `:is()`.
    const refuse = (selector: string) => {
      if (selector.replaceAll(/:is\([^)]*\)/g, '').includes(':popover-open'))
        throw new DOMException(`'${selector}' is not a valid selector.`, 'SyntaxError')
    }
    for (const owner of [Element.prototype, Document.prototype]) {
      for (const name of ['matches', 'closest', 'querySelector', 'querySelectorAll']) {
        const original: unknown = Reflect.get(owner, name)
        if (typeof original !== 'function') continue
        Reflect.set(owner, name, function (this: unknown, selector: string): unknown {
          refuse(selector)
          return Reflect.apply(original, this, [selector])
        })
      }
    }
    // Chromium itself hides what has the attribute.
    addEventListener('DOMContentLoaded', () => {
      const style = document.createElement('style')
      style.textContent = '[popover].popover-open:not(.toasts) { display: block }'
      document.head.append(style)
    })
  })
}

/** Does with each text what Google Translate does: it stands in two elements, and the node that was there is gone. */
export async function asTranslated(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // The payment window is not ours.
    if (window !== top) return
    const wrap = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Node[] = []
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) texts.push(text)
      for (const text of texts) {
        const isLeft = text.parentElement?.closest(
          'font, script, style, noscript, textarea, option, title, svg, [translate=no]',
        )
        if (isLeft != null || text.textContent?.trim() === '') continue
        const inner = document.createElement('font')
        const outer = document.createElement('font')
        inner.textContent = text.textContent
        outer.append(inner)
        text.parentNode?.replaceChild(outer, text)
      }
    }
    const start = () => {
      if (!document.body) return
      wrap(document.body)
      new MutationObserver((changes) => {
        for (const { target } of changes) if (target.isConnected) wrap(target.parentNode ?? target)
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
    }
    // Before React takes over what was prebuilt.
    document.addEventListener('readystatechange', start, { once: true })
  })
}

/** Puts an icon behind each field as soon as it is there, before React is, and another one behind those that come later. */
async function besideExtension(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window !== top) return
    const adorn = () => {
      const fields = 'input:is([type=email], [type=password], [type=text], [type=tel]), textarea'
      for (const field of document.querySelectorAll(fields)) {
        if (field.nextElementSibling?.matches('[data-extension]')) continue
        const icon = document.createElement('div')
        icon.dataset['extension'] = ''
        field.after(icon)
      }
    }
    new MutationObserver(adorn).observe(document, { childList: true, subtree: true })
  })
}

/** The options of a viewer in a test that expects console errors of its own too. */
export function viewing({ mayLog, ...options }: PageOptions, expected: RegExp): PageOptions {
  return {
    ...options,
    mayLog: mayLog ? new RegExp(`${expected.source}|${mayLog.source}`) : expected,
  }
}
