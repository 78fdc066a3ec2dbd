import { DARK } from '../../src/islands/hero/poster.ts'
import { inlineScript } from './inline-script.ts'

/**
 * Sources of pictures follow the system. Right after them, this corrects them for a visitor who chose a theme, before the
 * first picture loads.
 */
export const FOLLOW_CHOICE = inlineScript(`(${followChoice.toString()})('${DARK}')`)

function followChoice(dark: string) {
  const theme = document.documentElement.dataset['theme']
  if (!theme) return
  for (const source of document.querySelectorAll('source')) {
    source.media = source.media.replace(dark, theme === 'dark' ? '(width)' : '(width < 0)')
  }
}
