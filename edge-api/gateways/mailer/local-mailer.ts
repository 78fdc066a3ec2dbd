import type { Mailer } from '../../domain/ports/mailer.ts'

/** A developer's machine: nothing leaves it; the outbox itself is the mailbox at /__local/mail. */
export const localMailer: Mailer = { send: () => Promise.resolve() }

/** No binding where there should be one: every mail waits in the outbox and is tried again. */
export const missingMailer: Mailer = {
  send: () => Promise.reject(new Error('the EMAIL binding is missing')),
}
