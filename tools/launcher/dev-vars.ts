import { chmodSync, readFileSync, writeFileSync } from 'node:fs'

const heading = '# What follows depends on ports; `npm run dev` writes it anew.'

/** The dev server reads bindings from .dev.vars alone, so what `npm start` hands over is written there for it. */
export function writeDevVars(file: string, vars: Record<string, string>): void {
  const own = ownPart(readFileSync(file, 'utf8'))
  const lines = Object.entries(vars).map(([name, value]) => `${name}="${value}"`)
  writeFileSync(file, `${own.trimEnd()}\n\n${heading}\n${lines.join('\n')}\n`)
  chmodSync(file, 0o600)
}

/** What stands in .dev.vars besides that: kept as it is, and all that a start goes by. */
export function ownPart(text: string): string {
  const [own = ''] = text.split(heading)
  return own
}
