const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for an http(s) URL whose host is this machine itself. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return /^https?:$/.test(protocol) && loopbackHosts.has(hostname)
}

/** Throws unless the URL points at this machine: the emulator never speaks to anyone else. */
export function requireLoopbackUrl(name: string, url: string): void {
  if (!isLoopbackUrl(url)) {
    throw new Error(`${name} must point at this machine (localhost or 127.0.0.1), not at ${url}`)
  }
}

/** Throws for every key id but the emulator's own, so that real credentials never end up here. */
export function requireEmulatorKey(keyId: string): void {
  if (!/^rzp_test_EMU[A-Za-z0-9]+$/.test(keyId)) {
    throw new Error('The key id must start with rzp_test_EMU: the emulator takes no real keys')
  }
}

/** Throws where the environment looks like a deployment. Unset variables are a developer's machine. */
export function refuseProduction(env: Record<string, string | undefined>): void {
  const reason =
    env.ENVIRONMENT === 'production'
      ? 'ENVIRONMENT=production'
      : env.NODE_ENV === 'production'
        ? 'NODE_ENV=production'
        : env.CF_PAGES
          ? 'CF_PAGES is set'
          : env.WORKERS_CI
            ? 'WORKERS_CI is set'
            : null
  if (reason) throw new Error(`The Razorpay emulator does not run in production (${reason})`)
}
