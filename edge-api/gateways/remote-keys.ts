import { createRemoteJWKSet, errors, jwksCache, type JWKSCacheInput } from 'jose'

const TIMEOUT_MS = 5_000

/** Keys as last fetched, by their address. Requests share the data and never a promise, which workerd does not allow. */
const keptKeys = new Map<string, JWKSCacheInput>()

/** The keys that a provider publishes at an address, for `jwtVerify`. */
export function remoteKeys(url: string) {
  const kept = keptKeys.get(url) ?? {}
  keptKeys.set(url, kept)
  return createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS, [jwksCache]: kept })
}

const TOKEN_FAULTS = [
  errors.JWTInvalid,
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
]

/** Whether an error of `jwtVerify` is about the token itself. Any other means that the keys could not be fetched. */
export function isTokenFault(error: unknown): boolean {
  return TOKEN_FAULTS.some((fault) => error instanceof fault)
}
