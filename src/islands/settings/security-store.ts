import { createAccountData } from '../../stores/account-data.ts'
import { session, toasts } from '../../stores/browser.ts'
import { createPasswordChange } from '../../stores/password-change.ts'
import { createSignInPlaces } from '../../stores/sign-in-places.ts'
import { saveFile } from './save-file.ts'

export const places = createSignInPlaces(session, toasts)
export const passwordChange = createPasswordChange({
  session,
  toasts,
  onChanged: () => void places.load(),
})
export const accountData = createAccountData({ session, toasts, saveFile })
