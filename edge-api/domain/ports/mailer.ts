export interface OutgoingMail {
  /** Ours; goes into the Message-ID, so that a mail sent twice is shown once. */
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
