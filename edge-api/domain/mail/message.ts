/** A mail before it is kept: what it is about, said once as text, from which the HTML is made. */
export interface Message {
  kind: MailKind
  subject: string
  /** Plain paragraphs, in order. */
  paragraphs: readonly string[]
  /** One thing to do, as a button and as a bare link. */
  action?: { label: string; url: string }
  /** Rows of a small table, for receipts. */
  rows?: readonly (readonly [string, string])[]
  /** Said small under everything else. */
  note?: string
  /** True when `action` holds a secret: the body is wiped once the mail was sent. */
  hasSecret: boolean
}

export type MailKind =
  | 'verify_address'
  | 'reset_password'
  | 'password_changed'
  | 'registration_attempt'
  | 'new_device'
  | 'google_connected'
  | 'receipt'
  | 'refund'
  | 'payment_in_review'
  | 'payment_in_review_for_team'
  | 'plan_ending'
  | 'tokens_low'
  | 'ticket_received'
  | 'ticket_for_team'
  | 'application_received'
  | 'application_for_team'
  | 'account_deleted'
