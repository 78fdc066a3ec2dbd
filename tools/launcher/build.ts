import { command } from './command.ts'
import { ensureBuilt } from './ensure-built.ts'
import { say } from './say.ts'
import { root } from './settings.ts'
import { sizesTable } from './sizes.ts'

await command(async () => {
  if (!(await ensureBuilt(root, say))) say('Nothing changed since the last build.')
  say(sizesTable(root))
})
