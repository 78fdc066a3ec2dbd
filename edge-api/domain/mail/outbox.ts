import { mails } from '../../db/schema/records.ts'
import type { Context } from '../context.ts'
import type { Message } from './message.ts'
import { renderHtml, renderText } from './render.ts'

interface Recipient {
  to: string
  userId: string | null
  /** Names the cause of a mail that must exist once; otherwise a new id is made. */
  id?: string
}

type MailContext = Pick<Context, 'brand' | 'newId' | 'now'>

/** A row of the outbox, due at once. */
export function mailRow(ctx: MailContext, message: Message, recipient: Recipient) {
  return {
    id: recipient.id ?? ctx.newId('mail'),
    userId: recipient.userId,
    kind: message.kind,
    toAddress: oneLine(recipient.to),
    subject: oneLine(message.subject),
    text: renderText(message, ctx.brand),
    html: renderHtml(message, ctx.brand),
    hasSecret: message.hasSecret,
    createdAt: ctx.now,
    dueAt: ctx.now,
  }
}

/**
 * The statement that puts a mail into the outbox: part of the batch of the change that causes it.
 * The same id twice keeps the first.
 */
export function enqueueMail(
  ctx: MailContext & Pick<Context, 'db'>,
  message: Message,
  recipient: Recipient,
) {
  return ctx.db
    .insert(mails)
    .values(mailRow(ctx, message, recipient))
    .onConflictDoNothing()
}

/** Header fields end at a line break: nobody may smuggle one in. */
function oneLine(value: string): string {
  return value.replaceAll(/[\r\n\u2028\u2029]+/g, ' ').slice(0, 300)
}
