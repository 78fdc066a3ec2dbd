/** A user as an identity provider describes them. */
export interface Identity {
  /** The provider's id of the user. Unlike the address it never changes. */
  subject: string
  email: string
  isEmailVerified: boolean
  /** The full name, or '' when the provider does not say. */
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

/** The provider is down, too slow, or its answer is unreadable. */
export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable'
}

/** The provider rejected the request, or its answer is not genuine. */
export class IdentityRejected extends Error {
  override readonly name = 'IdentityRefused'
}

/** An identity provider (OpenID Connect, authorization code with PKCE). */
export interface IdentityProvider {
  /** Where the browser goes to sign in. */
  authorizationUrl(request: AuthorizationRequest): string
  /** Exchanges the code and checks the answer. Throws IdentityUnavailable or IdentityRejected. */
  identify(answer: AuthorizationAnswer): Promise<Identity>
}
