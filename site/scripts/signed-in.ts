/** The script of pages for signed-in users: the shell is part of it, so that the head of the page names it. */
import { startShell } from '../../src/page/shell.ts'
import './footer.ts'
import { showAnnouncement } from './announcement.ts'

startShell()
void showAnnouncement()
