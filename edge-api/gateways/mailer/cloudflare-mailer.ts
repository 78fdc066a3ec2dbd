import type { Mailer } from '../../domain/ports/mailer.ts'

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
