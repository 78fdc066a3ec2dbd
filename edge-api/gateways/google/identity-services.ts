import type { Log } from '../../domain/ports/log.ts'
import type { IdentityProvider } from '../../domain/ports/identity.ts'
import { googleProvider } from './google-provider.ts'
import { type GoogleEnv, GoogleNotConfigured, resolveGoogle } from './resolve-google.ts'

/** Google, or null when it is not offered; when misconfigured the operator is told which variable. */
export function identityProvider(env: GoogleEnv, log: Log): IdentityProvider | null {
  try {
    const settings = resolveGoogle(env)
    return settings === null ? null : googleProvider(settings)
  } catch (error) {
    if (!(error instanceof GoogleNotConfigured)) throw error
    log.alert('sign-in with Google is not configured', { reason: error.message })
    return null
  }
}
