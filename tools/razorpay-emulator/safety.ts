/** Published on purpose: these values work with this emulator only. */
export const defaults = {
  keyId: 'rzp_test_EMUkey00000001',
  keySecret: 'emu_key_secret_0001',
  webhookSecret: 'emu_webhook_secret_0001',
  controlToken: 'local',
  port: 8790,
  webhookUrl: 'http://127.0.0.1:8787/api/webhooks/razorpay',
} as const

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for an http(s) URL whose host is this machine itself. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return /^https?:$/.test(protocol) && loopbackHosts.has(hostname)
}

/** Throws unless the URL points to this machine, because the emulator sends requests to no other. */
export function requireLoopbackUrl(name: string, url: string): void {
  if (!isLoopbackUrl(url)) {
    throw new Error(`${name} must point at this machine (localhost or 127.0.0.1), not at ${url}`)
  }
}

/** Throws for every key id but the emulator's own, so that it never holds real credentials. */
export function requireEmulatorKey(keyId: string): void {
  if (!/^rzp_test_EMU[A-Za-z0-9]+$/.test(keyId)) {
    throw new Error('The key id must start with rzp_test_EMU: the emulator takes no real keys')
  }
}

/** Throws if the environment looks like a deployment. A developer's machine sets none of these variables. */
export function refuseProduction(env: Record<string, string | undefined>): void {
  const isProduction = (name: string) => env[name] === 'production'
  const production = ['ENVIRONMENT', 'NODE_ENV'].find(isProduction)
  const deployment = ['CF_PAGES', 'WORKERS_CI'].find((name) => env[name])
  const reason = production ? `${production}=production` : deployment
  if (reason) throw new Error(`An emulator does not run in production (${reason})`)
}
