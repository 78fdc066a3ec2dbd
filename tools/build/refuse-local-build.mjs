import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Wrangler runs this before it uploads anything (site/build/guarded-deployment.ts); its argument is the pages' folder.
// Plain JavaScript, because Wrangler may run under an old Node.

const [folder = ''] = process.argv.slice(2)
const THIS_MACHINE = /http:\/\/(?:localhost|127\.0\.0\.1)\b/

/** Why these pages must not be deployed, or null. */
function problem() {
  const names = readdirSync(folder, { recursive: true })
  const pages = names.filter((name) => name.endsWith('.html'))
  if (pages.length === 0) return `${folder} holds no pages`
  const local = ['_headers', ...pages].find((name) =>
    THIS_MACHINE.test(readFileSync(join(folder, name), 'utf8')),
  )
  return local === undefined ? null : `${local} lets addresses of this machine in`
}

// `npx wrangler dev` uploads nothing.
const found = process.env.WRANGLER_COMMAND === 'dev' ? null : problem()
if (found !== null) {
  const next = 'Deploy with: npm run deploy -- --env NAME'
  console.error(`Not deployed: ${found}. ${next}`)
  process.exitCode = 1
}
