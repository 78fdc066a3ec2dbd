import { z } from '../../src/contract/zod.ts'

/** What the next exchange of a code does wrong. */
export const Fault = z.enum([
  'wrong-nonce',
  'wrong-audience',
  'wrong-issuer',
  'expired',
  'unsigned',
  'foreign-key',
  'no-email',
  'garbage',
  'server-error',
  'slow',
])
export type Fault = z.output<typeof Fault>
