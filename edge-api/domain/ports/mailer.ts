export interface OutgoingMail {
  /** The id of its row in the outbox. */
  id: string
  from: string
  to: string
  subject: string
  text: string
  html: string
  /** Where an answer goes; to `from` when left out. */
  replyTo?: string
  /** Further headers, by name. */
  headers?: Readonly<Record<string, string>>
}

/** Hands a mail over for delivery. Throws when the mail is not accepted, or after ten seconds without an answer. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>
}

/** As much of Cloudflare Email Service's binding as we use. */
export interface EmailBinding {
  send(message: Omit<OutgoingMail, 'id'>): Promise<unknown>
}
