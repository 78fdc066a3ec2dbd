import type { IdentityProvider } from '../../domain/ports/identity.ts'
import { exchangeCode } from './exchange-code.ts'
import { readIdToken } from './id-token.ts'
import type { GoogleSettings } from './resolve-google.ts'

/** Google behind the domain's port. */
export function googleProvider(settings: GoogleSettings): IdentityProvider {
  return {
    authorizationUrl: ({ state, nonce, codeChallenge, redirectUri }) => {
      const url = new URL(settings.authorizationUrl)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: settings.clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        // Whoever has several Google accounts chooses each time, and sees which one it is.
        prompt: 'select_account',
      }).toString()
      return url.href
    },
    identify: async (answer) =>
      readIdToken(settings, { ...answer, idToken: await exchangeCode(settings, answer) }),
  }
}
