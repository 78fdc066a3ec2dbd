import { z } from '../../../src/contract/zod.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const count = z.int().nullable().default(null)

/** Something in a list. The statements that read rows leave out the columns that a kind does not have. */
export const Row = z.object({
  /** Its kind: `ticket`, `owed refund`. */
  what: z.string(),
  /** Its id or number: `T-7`, `pay_…`. */
  name: text,
  /** Whose it is, as an address or a name; on a customer's page what brought the news: `by reconcile`. */
  who: text,
  /** A ticket's severity, the reason of a pending refund, the phase of a dispute. */
  tag: text,
  /** A sentence: of a customer, a webhook or a job. */
  text,
  /** The money that it is about, in minor units, with its currency; null without any. */
  amountMinor: count,
  currency: z.string().nullable().default(null),
  /** Milliseconds UTC. */
  at: z.int(),
  /** The deadline for an answer; null without one. */
  until: count,
  userId: z.string().nullable().default(null),
  purchaseId: z.string().nullable().default(null),
  /** 1 when somebody should look at it. */
  isTrouble: count,
})
export type Row = z.infer<typeof Row>
