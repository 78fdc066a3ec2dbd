import type { EmailBinding, Mailer } from '../domain/ports/mailer.ts'

/**
 * Production: Cloudflare Email Service. It rejects a mail that sets `Message-ID`, `Date` or another header of its own
 * (E_HEADER_NOT_ALLOWED; `Auto-Submitted` and `List-Unsubscribe` are allowed); the binding on a developer's machine does not. `X-Entity-Ref-ID` names our row in the mail.
 */
export function cloudflareMailer(binding: EmailBinding): Mailer {
  return {
    async send({ id, headers, ...mail }) {
      await binding.send({ ...mail, headers: { ...headers, 'X-Entity-Ref-ID': id } })
    },
  }
}

/** Rejects with a TimeoutError what takes longer: a mail that hangs must not hold up the others. */
export function timedMailer(mailer: Mailer, timeoutMs: number): Mailer {
  return {
    async send(mail) {
      const { promise: timeout, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        reject(new DOMException('the mail was not taken in time', 'TimeoutError'))
      }, timeoutMs)
      try {
        await Promise.race([mailer.send(mail), timeout])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** On a developer's machine nothing is sent: /__local/mail shows the outbox. */
export const localMailer: Mailer = { send: () => Promise.resolve() }

/** Without the EMAIL binding every mail stays in the outbox and is tried again. */
export const missingMailer: Mailer = {
  send: () => Promise.reject(new Error('the EMAIL binding is missing')),
}
