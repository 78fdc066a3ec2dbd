import { deps } from '../../stores/browser.ts'
import { createGoogleSignIn } from '../../stores/google-sign-in.ts'

export const google = createGoogleSignIn({
  ...deps,
  fragment: () => location.hash,
})
