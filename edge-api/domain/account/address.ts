import { domainToUnicode } from 'node:url'
import { asciiAddress } from '../../../src/contract/text.ts'

/** The key by which usernames are compared, and addresses were: case and Unicode spelling do not matter. */
export function accountKey(typed: string): string {
  return typed.normalize('NFKC').trim().toLowerCase()
}

/** The key by which addresses are compared: as `accountKey`, with the domain in ASCII (UTS #46). */
export function emailKeyOf(typed: string): string {
  return asciiAddress(accountKey(typed))
}

/**
 * The keys under which the account of an address may be stored: today's, and those of rows that were written before
 * (docs/decisions/0153-one-mailbox-has-one-account.md). For most addresses they are one.
 */
export function emailKeysOf(typed: string): [string, ...string[]] {
  const key = emailKeyOf(typed)
  const at = key.lastIndexOf('@') + 1
  const inUnicode = key.slice(0, at) + domainToUnicode(key.slice(at))
  const older = [accountKey(typed), accountKey(inUnicode)].filter((one) => one !== key)
  return [key, ...new Set(older)]
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
  const key = emailKeyOf(address)
  const at = key.lastIndexOf('@')
  const name = key.slice(0, at)
  const domain = key.slice(at + 1)
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain))
  const plain = name.replace(/(?<=.)\+.*$/, '').replaceAll(provider?.ignored ?? /(?!)/g, '')
  return `${plain}@${provider?.domains[0] ?? domain}`
}
