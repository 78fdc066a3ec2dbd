import { accountKey } from './account-key.ts'

/** A mail provider that delivers several spellings of an address to one mailbox. */
interface Provider {
  domains: readonly [string, ...string[]]
  /** The characters of a name that it ignores. All of them ignore a `+` and what follows. */
  ignored?: RegExp
  /** Whether a name is one mailbox on all of its domains. */
  isOneMailbox: boolean
}

const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g, isOneMailbox: true },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], ignored: /[._-]/g, isOneMailbox: true },
  { domains: ['icloud.com', 'me.com', 'mac.com'], isOneMailbox: true },
  { domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'], isOneMailbox: false },
  { domains: ['fastmail.com', 'fastmail.fm'], isOneMailbox: false },
]

/**
 * One spelling for all addresses of a mailbox, as far as its provider is known: `A.da+x@GoogleMail.com` is
 * `ada@gmail.com`. It tells mailboxes apart, and is no address to write to.
 */
export function canonicalAddress(address: string): string {
  const key = accountKey(address)
  const at = key.lastIndexOf('@')
  const name = key.slice(0, at)
  const domain = toAscii(key.slice(at + 1))
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain))
  if (provider === undefined) return `${name}@${domain}`
  const plain = name.replace(/\+.*$/, '').replaceAll(provider.ignored ?? /(?!)/g, '')
  return `${plain}@${provider.isOneMailbox ? provider.domains[0] : domain}`
}

/** `bücher.example` as `xn--bcher-kva.example`. */
function toAscii(domain: string): string {
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
}
