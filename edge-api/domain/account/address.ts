/** The key by which addresses and usernames are compared: case and Unicode spelling do not matter. */
export function accountKey(typed: string): string {
  return typed.normalize('NFKC').trim().toLowerCase()
}

/** A mail provider with several spellings of one mailbox: the same name at all of its domains. */
interface Provider {
  domains: readonly [string, ...string[]]
  /** The characters of a name that it ignores. */
  ignored?: RegExp
}

const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'pm.me'], ignored: /[._-]/g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
]

/**
 * One spelling for all addresses of a mailbox: `A.da+x@GoogleMail.com` is `ada@gmail.com`. A `+` and what follows is left
 * out at every domain, because most servers deliver such addresses to one mailbox. It tells mailboxes apart, and is not for
 * sending mail.
 */
export function canonicalAddress(address: string): string {
  const key = accountKey(address)
  const at = key.lastIndexOf('@')
  const name = key.slice(0, at)
  const domain = toAscii(key.slice(at + 1))
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain))
  const plain = name.replace(/(?<=.)\+.*$/, '').replaceAll(provider?.ignored ?? /(?!)/g, '')
  return `${plain}@${provider?.domains[0] ?? domain}`
}

/** `bücher.example` as `xn--bcher-kva.example`. */
function toAscii(domain: string): string {
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
}
