import type { core } from 'zod'
import { VALUE } from './messages.ts'

type Fault = Parameters<core.$ZodErrorMap>[0]

const OF_TYPE: Readonly<Record<string, string>> = {
  string: VALUE.text,
  number: VALUE.number,
  int: VALUE.wholeNumber,
  boolean: VALUE.yesOrNo,
  object: VALUE.object,
}

/** What to do about a value that is refused by a rule without a sentence of its own. */
export function faultSentence(fault: Fault): string {
  switch (fault.code) {
    case 'invalid_type':
      return fault.input === undefined ? VALUE.missing : (OF_TYPE[fault.expected] ?? VALUE.other)
    case 'invalid_value':
      return VALUE.oneOf(fault.values)
    case 'invalid_union':
      return Array.isArray(fault.options) ? VALUE.oneOf(fault.options) : VALUE.other
    case 'too_big':
      return fault.origin === 'string' ? VALUE.shorter(fault.maximum) : VALUE.smaller(fault.maximum)
    case 'too_small':
      return fault.origin === 'string' ? VALUE.longer(fault.minimum) : VALUE.greater(fault.minimum)
    default:
      return VALUE.other
  }
}
