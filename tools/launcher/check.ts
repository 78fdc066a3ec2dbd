import { checkAll } from './check-all.ts'
import { command } from './command.ts'

await command(() => checkAll())
