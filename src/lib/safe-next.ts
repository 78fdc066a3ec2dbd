/**
 * The path to return to after signing in, or null when it leads to another origin. Browsers read `//host`, `/\host`
 * and paths with control characters as other origins.
 */
export function safeNext(next: string | null): string | null {
  if (next === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return null
  const here = 'https://here.invalid'
  const url = urlOf(next, here)
  if (url?.origin !== here) return null
  // Resolving the dots of `/.//host` leaves a path that starts with two slashes.
  return url.pathname.startsWith('//') ? null : url.pathname + url.search + url.hash
}

/** `URL.parse`, which Safari has since 18. */
function urlOf(text: string, base: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
