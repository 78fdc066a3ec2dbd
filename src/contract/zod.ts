/**
 * Everything imports zod from here. `jitless`, because zod would otherwise compile validators with `new Function`,
 * which our Content-Security-Policy forbids in the browser. `customError`, because zod's default messages
 * address developers.
 */
import * as z from 'zod'
import { VALUE } from './field-messages.ts'

z.config({ jitless: true, customError: sentenceOf })

export { z }

type Issue = Parameters<z.core.$ZodErrorMap>[0]

const WRONG_TYPE: Readonly<Record<string, string>> = {
  string: VALUE.text,
  number: VALUE.number,
  int: VALUE.wholeNumber,
  boolean: VALUE.yesOrNo,
  object: VALUE.object,
  array: VALUE.list,
}

type OfBound = (bound: number | bigint) => string
/** By the kind of value that is bounded; other kinds are numbers. */
const TOO_BIG: Readonly<Record<string, OfBound>> = { string: VALUE.shorter, array: VALUE.fewer }
const TOO_SMALL: Readonly<Record<string, OfBound>> = { string: VALUE.longer, array: VALUE.more }

/** The message of a rule that defines none: it says what to send instead. */
function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? VALUE.missing : (WRONG_TYPE[issue.expected] ?? VALUE.other)
    case 'invalid_value':
      return VALUE.oneOf(issue.values)
    case 'invalid_union':
      return Array.isArray(issue.options) ? VALUE.oneOf(issue.options) : VALUE.other
    case 'too_big':
      return (TOO_BIG[issue.origin] ?? VALUE.smaller)(issue.maximum)
    case 'too_small':
      return (TOO_SMALL[issue.origin] ?? VALUE.greater)(issue.minimum)
    case 'unrecognized_keys':
      return VALUE.unknown(issue.keys)
    default:
      return VALUE.other
  }
}
