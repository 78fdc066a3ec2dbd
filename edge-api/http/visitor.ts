import type { Visitor } from '../domain/context.ts'

/** Every browser on an iPhone also calls itself Safari, so a name of its own comes first. */
const BROWSERS = [
  ['CriOS', 'Chrome'],
  ['FxiOS', 'Firefox'],
  ['OPT/', 'Opera'],
  ['OPiOS', 'Opera'],
  ['DuckDuckGo', 'DuckDuckGo'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/**
 * The visitor of a request. Only `CF-Connecting-IP` and `CF-IPCountry` are trusted, because Cloudflare overwrites what the
 * client sent. `X-Forwarded-For` is ignored. Our desktop app is recognised by the product's name.
 */
export function visitorOf(request: Request, productName: string): Visitor {
  const device = deviceName(request.headers.get('User-Agent') ?? '', productName)
  return {
    ...networkOf(request.headers.get('CF-Connecting-IP') ?? ''),
    device,
    ...countryOf(request),
  }
}

function networkOf(ipAddress: string): Pick<Visitor, 'ipAddress' | 'ipPrefix'> {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(ipAddress)) {
    return { ipAddress, ipPrefix: `${ipAddress.split('.').slice(0, 3).join('.')}.0/24` }
  }
  const groups = expandIpv6(ipAddress)
  if (groups === null) return { ipAddress: 'unknown', ipPrefix: 'unknown' }
  return {
    // A household or a host owns a whole /64, so all of it shares one limit.
    ipAddress: `${groups.slice(0, 4).join(':')}::/64`,
    ipPrefix: `${groups.slice(0, 3).join(':')}::/48`,
  }
}

/** Cloudflare sends XX for an unknown country and T1 for Tor. */
function countryOf({ headers }: Request): { country?: string } {
  const country = headers.get('CF-IPCountry') ?? ''
  return /^[A-Z]{2}$/.test(country) && country !== 'XX' ? { country } : {}
}

/** The eight groups of an IPv6 address (RFC 4291 §2.2), or null for any other text. */
function expandIpv6(address: string): string[] | null {
  if (!/^[0-9a-f:.]{2,45}$/i.test(address) || !address.includes(':')) return null
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const missing = 8 - left.length - right.length
  if (missing < 0 || (tail === undefined && missing !== 0)) return null
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  return groups.map((group) => group.replace(/^0+(?=.)/, ''))
}

/**
 * A name such as "Firefox on Windows": users recognise their device, and it is too coarse to track anybody. Mails show it, so it
 * is one of a fixed list and never the sender's own words.
 */
function deviceName(userAgent: string, productName: string): string {
  const app = `${productName} Desktop`
  const browser = userAgent.startsWith(`${app}/`) ? app : nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser === null && system === null) return 'Unknown device'
  if (browser === null || system === null) return browser ?? system ?? ''
  return `${browser} on ${system}`
}

function nameIn(names: readonly (readonly [string, string])[], text: string): string | null {
  return names.find(([mark]) => text.includes(mark))?.[1] ?? null
}
