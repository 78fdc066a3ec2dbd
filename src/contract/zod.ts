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
}

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
      return issue.origin === 'string' ? VALUE.shorter(issue.maximum) : VALUE.smaller(issue.maximum)
    case 'too_small':
      return issue.origin === 'string' ? VALUE.longer(issue.minimum) : VALUE.greater(issue.minimum)
    case 'unrecognized_keys':
      return VALUE.unknown(issue.keys)
    default:
      return VALUE.other
  }
}
