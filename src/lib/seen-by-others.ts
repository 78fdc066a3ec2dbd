declare global {
  /** Chromium's: other browsers do not say the version of the system. https://wicg.github.io/ua-client-hints/ */
  interface Navigator {
    readonly userAgentData?: {
      getHighEntropyValues(hints: readonly string[]): Promise<System>
    }
  }
}

interface System {
  platform: string
  /** `15.1.0` on a Mac. On Windows, 13 and later are Windows 11, and 10 is Windows 10 from version 2004. */
  platformVersion: string
}

/** What others see on this system; null where we cannot tell. Pages contain its text, so it uses nothing outside of it. */
export function seenOn({ platform, platformVersion }: System): string | null {
  const major = parseInt(platformVersion)
  const expect = 'expect that others see '
  const hidden = 'others usually do not see the answer.'
  if (!(major > 0)) return null
  if (platform === 'macOS')
    return `On this Mac (macOS ${major}): ${major < 15 ? hidden : `${expect}it.`}`
  if (platform !== 'Windows') return null
  if (major > 12) return `On this computer (Windows 11): ${hidden}`
  return major > 9
    ? `On this computer (Windows 10): ${hidden}`
    : `On this computer (Windows 10 before version 2004): ${expect}an empty window.`
}

/** Says it for the visitor's own system wherever the page says it for each. Pages contain its text too. */
export function sayHere(seen: typeof seenOn): void {
  void navigator.userAgentData?.getHighEntropyValues(['platformVersion']).then((system) => {
    const text = seen(system)
    if (text === null) return
    for (const place of document.querySelectorAll('[data-seen]')) {
      const block = place.parentElement
      // The one sentence is shorter than both, and what follows stays where it is.
      if (block) block.style.minHeight = `${block.offsetHeight}px`
      place.textContent = text
    }
    // overlay.css says then on which system only you see a drawing's answer.
    document.documentElement.classList.toggle('others-see', text.endsWith('see it.'))
  })
}
