/** Shows the toasts of the previous page on the landing page, which loads neither the shell nor its styles. */
import { startToasts } from '../../src/page/toast-region.ts'
import css from '../styles/toast.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)
document.adoptedStyleSheets.push(sheet)
startToasts()
