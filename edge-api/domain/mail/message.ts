import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'

/** The content of a mail. Its plain-text and HTML parts are made from it. */
export interface Message {
  subject: string
  /** Plain paragraphs, in order. */
  paragraphs: readonly string[]
  /** One link, shown as a button and as a plain address. */
  action?: { label: string; url: string }
  /** Rows of a small table, for receipts. */
  rows?: readonly (readonly [string, string])[]
  /** Small print under everything else. */
  note?: string
  /** Where an answer goes; to the sender when left out. */
  replyTo?: string
  /** Who wrote it (RFC 3834 §5), when not a program by itself: one that answers what was sent in, or a person. */
  writtenBy?: 'answering program' | 'person'
  /** Where the reader can do without mails like this one. */
  unsubscribe?: string
}

/** The sender: names and addresses that mails carry. */
export type Sender = Pick<Context, 'brand' | 'origin' | 'adminOrigin'>

/** The facts of a mail that says the same to everybody. */
export const NoFacts = z.object({})

/** The secret part of a mailed link. Delivery replaces it with null once the mail is sent. */
export const Link = z.object({ secret: z.string().nullable() })

/** The secret in the address of a link, also when the mail is read after it was sent. */
export const secretOrWiped = (secret: string | null) => secret ?? '(wiped)'

/**
 * A kind of mail: the facts it is stored with, and the message made of them when it is delivered. It throws a ZodError when
 * what is stored is not of this kind.
 */
export function mailType<Schema extends z.ZodType>(
  payload: Schema,
  write: (facts: z.output<Schema>, sender: Sender) => Message,
) {
  return {
    payload,
    write: (stored: unknown, sender: Sender) => write(payload.parse(stored), sender),
  }
}

/** Replaces line breaks: a header ends at one, so a repeated text could start another header. */
export function oneLine(value: string): string {
  return value.replaceAll(/[\r\n\u2028\u2029]+/g, ' ').slice(0, 300)
}
