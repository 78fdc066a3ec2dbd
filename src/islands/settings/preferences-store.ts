import { session, toasts } from '../../stores/browser.ts'
import { createPreferences } from '../../stores/preferences.ts'
import { applyTheme } from './apply-theme.ts'

export const preferences = createPreferences({ session, toasts, applyTheme })
