import { browserSupportsWebAuthnAutofill, startAuthentication } from '@simplewebauthn/browser'

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Lets the user choose a passkey and sign with it. Null when the user dismissed the dialog or has none. */
export function askPasskey(options: RequestOptions) {
  return orNull(() => startAuthentication({ optionsJSON: options }))
}

/** Whether the browser's autofill can offer passkeys. */
export const mayOfferPasskeys = browserSupportsWebAuthnAutofill

/** As `askPasskey`, without a dialog: the browser offers passkeys at the field for the address, for as long as it is shown. */
export function offerPasskeys(options: RequestOptions) {
  return orNull(() => startAuthentication({ optionsJSON: options, useBrowserAutofill: true }))
}

/** On purpose, browsers do not say why no passkey was used. */
async function orNull<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch {
    return null
  }
}
