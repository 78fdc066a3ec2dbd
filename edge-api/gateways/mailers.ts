import type { Mailer } from '../domain/ports/mailer.ts'

/** As much of Cloudflare Email Service's binding as we use. */
interface EmailBinding {
  send(message: {
    from: string
    to: string
    subject: string
    text: string
    html: string
    headers?: Record<string, string>
  }): Promise<unknown>
}

/** Production: Cloudflare Email Service. The Message-ID lets mail programs drop a repetition. */
export function cloudflareMailer(binding: EmailBinding, domain: string): Mailer {
  return {
    async send({ id, ...mail }) {
      await binding.send({ ...mail, headers: { 'Message-ID': `<${id}@${domain}>` } })
    },
  }
}

/** A developer's machine: nothing leaves it; the outbox itself is the mailbox at /__local/mail. */
export const localMailer: Mailer = { send: () => Promise.resolve() }

/** No binding where there should be one: every mail waits in the outbox and is tried again. */
export const missingMailer: Mailer = {
  send: () => Promise.reject(new Error('the EMAIL binding is missing')),
}
