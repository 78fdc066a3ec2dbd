/** Who somebody is, as a provider vouches for it. */
export interface Identity {
  /** The provider's own name for the person: it never changes, unlike the address. */
  subject: string
  email: string
  isEmailVerified: boolean
  /** As the person is called; '' when the provider does not say. */
  name: string
  firstName: string | null
  lastName: string | null
}

export interface AuthorizationRequest {
  state: string
  nonce: string
  /** S256 of the code verifier (RFC 7636 §4.2). */
  codeChallenge: string
  redirectUri: string
}

export interface AuthorizationAnswer {
  code: string
  codeVerifier: string
  nonce: string
  redirectUri: string
  /** Milliseconds UTC. */
  now: number
}

/** Nothing was learned: the provider is down, slow, or answers what nobody can read. */
export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable'
}

/** The provider said no, or what it answered is not genuine. */
export class IdentityRefused extends Error {
  override readonly name = 'IdentityRefused'
}

/** Somebody else who knows who people are (OpenID Connect, authorization code with PKCE). */
export interface IdentityProvider {
  /** Where the browser goes to sign in. */
  authorizationUrl(request: AuthorizationRequest): string
  /** Exchanges the code and checks the answer. Throws IdentityUnavailable or IdentityRefused. */
  identify(answer: AuthorizationAnswer): Promise<Identity>
}
