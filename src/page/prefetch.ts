const fetched = new Set<string>()

/** Prefetches a page of this site as soon as the user points at its link or focuses it. */
export function startPrefetch() {
  for (const intent of ['pointerenter', 'focusin', 'touchstart']) {
    document.addEventListener(intent, handleIntent, { capture: true, passive: true })
  }
}

function handleIntent(event: Event) {
  if (!(event.target instanceof Element)) return
  const link = event.target.closest('a')
  if (link === null || link.origin !== location.origin || link.target !== '') return
  const isHere = link.pathname === location.pathname
  if (isHere || link.pathname.startsWith('/api/') || fetched.has(link.pathname)) return
  fetched.add(link.pathname)
  const hint = document.createElement('link')
  hint.rel = 'prefetch'
  hint.href = link.pathname
  document.head.append(hint)
}
