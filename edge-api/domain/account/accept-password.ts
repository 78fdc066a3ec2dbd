import { FIELD } from '../../../src/contract/messages.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { hashPassword } from './password-hash.ts'

interface Choice {
  password: string
  owner: { username: string; email: string }
  /** The form field that a refusal names. */
  path: string
}

/**
 * Answers the hash of a new password. VALIDATION_FAILED when it is common, when it is the account's own name, or,
 * where a list is configured, when it was in a data breach. The list is asked while the hash is computed.
 */
export async function acceptPassword(
  ctx: Context,
  { password, owner, path }: Choice,
): Promise<string> {
  const names = { own: namesOf(owner), productName: ctx.brand.productName }
  if (isCommonPassword(password, names)) throw refusePassword(path, FIELD.passwordCommon)
  const [isBreached, hash] = await Promise.all([
    ctx.breaches?.has(password) ?? false,
    ctx.hashGate.pass(() => hashPassword(password, ctx.randomBytes)),
  ])
  if (isBreached) throw refusePassword(path, FIELD.passwordBreached)
  return hash
}

/** VALIDATION_FAILED for one field. */
export function refusePassword(path: string, msg: string): Refusal {
  return new Refusal('VALIDATION_FAILED', msg, { errors: [{ path, msg }] })
}

/** The most common passwords of every leak, compared without case, trailing digits and look-alike characters. */
const COMMON = new Set(
  `abc abcd abcdef abcdefg admin administrator adobe alexander amanda america andrea andrew angel
  angela anthony apple arsenal ashley asdf asdfg asdfgh asdfghjkl austin azerty babygirl bailey banana
  barcelona baseball basketball batman blink bonnie brandon bubbles buster butterfly charlie cheese
  chelsea chicken chocolate computer cookie corvette cowboy dallas daniel default diamond dolphin
  donald dragon eagle falcon ferrari flower football forever freedom friend friends gandalf george
  ginger google guest guitar hannah harley heaven hello hockey holiday home hottie hunter iloveyou
  internet jasmine jennifer jessica jesus jordan joshua justin killer king letmein liverpool london
  love loveme lovely maggie manchester marina martin master matrix matthew maverick melissa mercedes
  merlin michael michelle monkey monster mother mustang myspace nicole ninja nothing orange passw pass
  passwort password passwords patrick pepper phoenix pokemon princess purple qazwsx qwe qwer qwert
  qwerty qwertyu qwertyui qwertyuiop rainbow ranger rangers robert samsung secret shadow silver
  snoopy soccer starwars summer sunshine superman superstar sweet tennis test tester testing
  thomas thunder tigger tinkerbell trustno welcome whatever william winter yankees zaq zxc zxcvbn
  zxcvbnm changeme qaz qazwsxedc access autumn spring january february march april june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday`.split(
    /\s+/,
  ),
)

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** The account's own names, which are not accepted as passwords. */
export function namesOf({ username, email }: { username: string; email: string }): string[] {
  return [username, email, email.split('@')[0] ?? '']
}

/**
 * True for a common password, the product's name included, and for the account's own name.
 */
export function isCommonPassword(
  password: string,
  { own, productName }: { own: readonly string[]; productName: string },
): boolean {
  const lower = password.toLowerCase()
  const bare = lower.replace(/[\d\W_]+$/, '').replace(/^[\d\W_]+/, '')
  const plain = bare.replaceAll(/[01345@$!7]/g, (sign) => LOOK_ALIKES[sign] ?? sign)
  const isFirstTry = (word: string) => COMMON.has(word) || word === productName.toLowerCase()
  if (isFirstTry(bare) || isFirstTry(plain)) return true
  return own.some((name) => name.length >= 3 && name.toLowerCase() === lower)
}
