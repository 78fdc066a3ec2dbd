/**
 * The path to go back to after signing in, or null when the given one leads elsewhere. Only paths of this
 * origin: `//host`, `/\host` and control characters are read by browsers as other places.
 */
export function safeNext(next: string | null): string | null {
  if (next === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return null
  const here = 'https://here.invalid'
  const url = URL.parse(next, here)
  if (url?.origin !== here) return null
  // `/.//host` is a path of ours until its dots are resolved: then it starts with two slashes.
  return url.pathname.startsWith('//') ? null : url.pathname + url.search + url.hash
}
