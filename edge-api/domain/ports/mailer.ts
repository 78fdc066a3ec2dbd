export interface OutgoingMail {
  /** The id of its row in the outbox. */
  id: string
  from: string
  to: string
  subject: string
  text: string
  html: string
}

/** Hands a mail to whoever delivers it. Throws when it was not taken. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>
}
