import { startRegistration } from '@simplewebauthn/browser'

/** Lets the browser make a passkey. Fails when the user dismissed its dialog or the browser cannot make one. */
export function createPasskey(optionsJSON: Parameters<typeof startRegistration>[0]['optionsJSON']) {
  return startRegistration({ optionsJSON })
}
