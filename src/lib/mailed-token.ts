/** The token in the path of a mailed link, /page/{token}; null when the path has none. */
export function mailedToken(path: string): string | null {
  return path.split('/')[2] || null
}
