/** Public pages load this where they need the shell (shell.ts). */
import { startShell } from '../../src/page/shell.ts'

startShell()
