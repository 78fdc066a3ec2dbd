import { EMAIL_MAX, ID_PATTERN, MONTH_PATTERN } from './limits.ts'
import { FIELD, VALUE } from './field-messages.ts'
import { z } from './zod.ts'

/** What `isWellFormed` rejects, which Safari has since 16.4. With `u` a pair is one character. */
const LONE_SURROGATE = /\p{Surrogate}/u
/** What begins another line in a mail or on a page (UAX #14). */
const LINE_BREAK = /[\r\n\u0085\u2028\u2029]/
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** SQLite cannot store NUL, JSON cannot carry lone surrogates, and no text needs other control characters. */
export function isStorable(value: string): boolean {
  return !LONE_SURROGATE.test(value) && !CONTROL.test(value)
}

/** Characters that are drawn as nothing, or that make a line read backwards: with them two different texts look the same. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Indian and Persian scripts and emoji are written with joiners, and Japanese names with variation selectors (UTS #37). */
const JOINER = /[\u200c\u200d\p{Variation_Selector}]/u

/** A text without the invisible characters that people paste with it. */
export function withoutInvisible(typed: string): string {
  return typed.replaceAll(INVISIBLE, '')
}

/** The same for a name: what its letters and emoji are written with stays. */
export function nameWithoutInvisible(typed: string): string {
  return typed.replaceAll(INVISIBLE, (one) => (JOINER.test(one) ? one : ''))
}

/** A code as any keyboard types it, in ASCII: "１２३" and "٠१２" become "123" and "012". */
export function inAscii(typed: string): string {
  return withoutInvisible(typed)
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, asciiDigit)
}

/** Unicode lists the digits of each script from 0 to 9, without a gap. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

interface TextRules {
  max: number
  tooLong?: string
  required?: string
  unfit?: string
  oneLine?: boolean
  /** Takes out of what was typed or pasted what does not belong to it. */
  clean?: (typed: string) => string
}

/** A trimmed text with an upper bound in characters. `required` forbids empty texts and is their message. */
export function text({
  max,
  tooLong,
  required,
  unfit = FIELD.text,
  oneLine = true,
  // Word processors break a line within a paragraph with a vertical tab, and text of PDFs its pages with a form feed.
  clean = (typed) => (oneLine ? typed : typed.replaceAll(/[\v\f]/g, ' ')),
}: TextRules) {
  const trimmed = z
    .string(required)
    .overwrite(clean)
    .trim()
    .max(max, tooLong ?? VALUE.shorter(max))
    .refine((value) => isStorable(value) && !(oneLine && LINE_BREAK.test(value)), unfit)
  const present =
    required === undefined
      ? trimmed
      : trimmed.min(1, required).refine(isVisible, { message: required, abort: true })
  return present.refine((value) => !oneLine || isPlain(value), VALUE.invisible)
}

function isPlain(value: string): boolean {
  return nameWithoutInvisible(value) === value
}

/** A phone number. Blanks that do not break a line, and such hyphens, come with numbers that are copied from a page. */
export function phone(rules: TextRules, invalid: string = VALUE.phone) {
  const clean = (typed: string) => inAscii(typed.replaceAll(/[\u00a0\u2011]/g, ''))
  return text({ ...rules, clean }).regex(/^[0-9+()\-. ]*$/, invalid)
}

/** A link that people follow; the server never fetches it. Before an `@`, it would name another site than it opens. */
export function webLink(max: number, { invalid, tooLong }: { invalid: string; tooLong: string }) {
  return z
    .url({ protocol: /^https?$/, error: invalid })
    .max(max, tooLong)
    .refine((link) => isStorable(link) && isPlain(link), invalid)
    .refine((link) => !/^https?:[/\\]*[^/\\?#]*@/i.test(link), invalid)
}

/** Whether a text is empty or has a visible character. Fonts draw nothing for these marks, fillers and blanks. */
export function isVisible(value: string): boolean {
  return value === '' || /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value)
}

/** An empty text passes, because it already gets the message `required`. */
const EMAIL_PATTERN =
  /^$|^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"/?#%]+\.[^\s@<>()[\]\\,;:"/?#%.]{2,}$/

/** A domain in ASCII as WHATWG's syntax of email addresses has it, with two labels or more. */
const DOMAIN = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i

/** The domain of an address in ASCII (UTS #46): `xn--bcher-kva.example` for `bücher.example`. */
export function asciiDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain
  }
}

/** An address with its domain in ASCII, which every mail server takes. */
export function asciiAddress(address: string): string {
  return address.slice(0, address.lastIndexOf('@') + 1) + asciiDomain(address)
}

/** Letters and their marks as one character each: Windows' Vietnamese keyboard types them apart, a Mac's together. */
function withMarks(typed: string): string {
  return typed.replaceAll(/\P{M}\p{M}+/gu, (letter) => letter.normalize('NFC'))
}

/** The address of an account. Some are older than the rules of new ones (`email`), and still sign in. */
export function accountEmail(
  invalid: string = FIELD.emailInvalid,
  required: string = FIELD.emailRequired,
) {
  return z
    .string(required)
    .overwrite((typed) => withMarks(withoutInvisible(typed)))
    .trim()
    .min(1, required)
    .max(EMAIL_MAX, invalid)
    .regex(EMAIL_PATTERN, invalid)
    .refine((value) => isStorable(value) && value.normalize('NFKC') === value, invalid)
}

/**
 * An email address as typed. Its case is kept; addresses are compared without case. An address that NFKC would change is
 * rejected: it looks like another address, would get the same key, and is a different mailbox ("ºperator@" and "operator@").
 */
export function email(invalid?: string, required?: string) {
  const isDeliverable = (value: string) =>
    !EMAIL_PATTERN.test(value) ||
    value === '' ||
    (!value.startsWith('.') && DOMAIN.test(asciiDomain(value)))
  return accountEmail(invalid, required).refine(isDeliverable, invalid ?? FIELD.emailInvalid)
}

/** An instant, ISO 8601 in UTC. */
export const Instant = z.iso.datetime()

export const Id = z.string(VALUE.id).regex(ID_PATTERN).max(40)

export const Month = z.string().regex(MONTH_PATTERN, 'Please choose a month, as 2026-11').max(7)
