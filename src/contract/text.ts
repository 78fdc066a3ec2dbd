import { EMAIL_MAX, ID_PATTERN, MONTH_PATTERN } from './limits.ts'
import { FIELD, VALUE } from './messages.ts'
import { z } from './zod.ts'

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** SQLite cannot store NUL, JSON cannot carry lone surrogates, and no text needs other control characters. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !CONTROL.test(value)
}

/** Characters that are drawn as nothing, or that make a line read backwards: with them two different texts look the same. */
const INVISIBLE = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u
/** Indian and Persian scripts and emoji are written with joiners and variation selectors. */
const JOINERS = /\u200c|\u200d|\ufe0e|\ufe0f/g

interface TextRules {
  max: number
  tooLong?: string
  required?: string
  unfit?: string
  oneLine?: boolean
}

/** A trimmed text with an upper bound in characters. `required` forbids empty texts and is their message. */
export function text({ max, tooLong, required, unfit = FIELD.text, oneLine = true }: TextRules) {
  const trimmed = z
    .string(required)
    .trim()
    .max(max, tooLong ?? VALUE.shorter(max))
    .refine((value) => isStorable(value) && !(oneLine && /[\r\n]/.test(value)), unfit)
  const present =
    required === undefined
      ? trimmed
      : trimmed.min(1, required).refine(isVisible, { message: required, abort: true })
  return present.refine((value) => !oneLine || isPlain(value), VALUE.invisible)
}

function isPlain(value: string): boolean {
  return !INVISIBLE.test(value.replace(JOINERS, ''))
}

/** Whether a text is empty or has a visible character. Fonts draw nothing for these marks, fillers and blanks. */
function isVisible(value: string): boolean {
  return value === '' || /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value)
}

/** An empty text passes, because it already gets the message `required`. */
const EMAIL_PATTERN =
  /^$|^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"/?#%]+\.[^\s@<>()[\]\\,;:"/?#%.]{2,}$/

/**
 * An email address as typed. Its case is kept; addresses are compared without case. An address that NFKC would change is
 * refused: it looks like another address, would get the same key, and is a different mailbox ("ºperator@" and "operator@").
 */
export function email(
  invalid: string = FIELD.emailInvalid,
  required: string = FIELD.emailRequired,
) {
  return z
    .string(required)
    .trim()
    .min(1, required)
    .max(EMAIL_MAX, invalid)
    .regex(EMAIL_PATTERN, invalid)
    .refine((value) => isStorable(value) && isUnambiguous(value), invalid)
}

function isUnambiguous(value: string): boolean {
  return value.normalize('NFKC') === value && !INVISIBLE.test(value)
}

/** An instant, ISO 8601 in UTC. */
export const Instant = z.iso.datetime()

export const Id = z.string(VALUE.id).regex(ID_PATTERN).max(40)

export const Month = z.string().regex(MONTH_PATTERN, 'Please choose a month, as 2026-11').max(7)
