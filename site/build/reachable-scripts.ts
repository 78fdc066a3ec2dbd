/**
 * The texts of all scripts that a page may ever run: its own, those it names, and those that these name. Any mention of
 * a file counts, so a lazy import does too.
 *
 * @param files the built scripts, by file name
 */
export function reachableScripts(html: string, files: ReadonlyMap<string, string>): string {
  const found = new Map<string, string>()
  const follow = (text: string) => {
    for (const [name] of text.matchAll(/[\w.-]+\.js\b/g)) {
      const script = files.get(name)
      if (script === undefined || found.has(name)) continue
      found.set(name, script)
      follow(script)
    }
  }
  follow(html)
  return [...found.values()].join('\n')
}
