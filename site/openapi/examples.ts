import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Example } from './document-shape.ts'
import { ACCOUNT_EXAMPLES, DEVICE_EXAMPLES, VISITOR_EXAMPLES } from './examples-account.ts'
import { FACTOR_EXAMPLES } from './examples-factor.ts'
import { PAYMENT_EXAMPLES } from './examples-payment.ts'
import { USAGE_EXAMPLES } from './examples-usage.ts'

const EXAMPLES: Readonly<Record<string, Example>> = {
  ...ACCOUNT_EXAMPLES,
  ...DEVICE_EXAMPLES,
  ...FACTOR_EXAMPLES,
  ...PAYMENT_EXAMPLES,
  ...USAGE_EXAMPLES,
  ...VISITOR_EXAMPLES,
}

/** The summary and the example of a call; empty when there are none. */
export function exampleOf({ id }: Pick<Endpoint, 'id'>): Example {
  return EXAMPLES[id] ?? { summary: '' }
}
