import { session, toasts } from '../../stores/browser.ts'
import { createProfile } from '../../stores/profile.ts'

export const profile = createProfile(session, toasts)
