/** Sizes, durations and rates. Those that users see are set by the specification. */

export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128
export const USERNAME_MIN = 3
export const USERNAME_MAX = 30
export const NAME_MAX = 50
export const BIO_MAX = 500
export const PHONE_MAX = 32
/** RFC 5321 allows 256 octets for an address with its angle brackets. */
export const EMAIL_MAX = 254
/** The limit that the counter under the support form shows. Longer tickets are accepted. */
export const SUPPORT_COUNTER = 1_000
export const SUPPORT_QUERY_MAX = 5_000
export const SHORT_TEXT_MAX = 120
export const LONG_TEXT_MAX = 5_000
export const URL_MAX = 500
export const PAYMENT_DESCRIPTION_MAX = 200
export const SECRET_LINK_MAX = 128
export const IDEMPOTENCY_KEY_MAX = 100
export const USE_TOKENS_DEFAULT = 1
export const USE_TOKENS_MAX = 1_000_000
export const PAGE_SIZE_DEFAULT = 20
export const PAGE_SIZE_MAX = 100
export const CURSOR_MAX = 300

export const BODY_MAX_BYTES = 64 * 1024
export const WEBHOOK_MAX_BYTES = 256 * 1024
/** How many uses of tokens one call reports, and the size of its body with the longest keys and ids. */
export const USE_BATCH_MAX = 500
export const USE_BATCH_MAX_BYTES = 128 * 1024

export const SESSION_HOURS = 12
export const SESSION_REMEMBERED_DAYS = 30
/** How long a desktop app stays signed in after its last use, and in all. */
export const DESKTOP_IDLE_DAYS = 90
export const DESKTOP_SESSION_DAYS = 365
export const VERIFY_LINK_HOURS = 24
export const RESET_LINK_HOURS = 1
export const NOT_ME_LINK_DAYS = 3
export const REFUND_LINK_HOURS = 1

/** How long an application is kept after the decision. The privacy page says so too. */
export const APPLICATION_MONTHS = 12

/** How many days an order can be paid. The terms say so. */
export const ORDER_DAYS = 7

/** The days after the day of a payment on which its buyer may withdraw. The pages say so. */
export const REFUND_DAYS = 14

/** Calls per minute and caller (see `limitBy` of an endpoint). wrangler.toml has a counter for each figure. */
export const RATE_LIMITS = {
  signIn: 10,
  register: 10,
  mail: 5,
  link: 20,
  support: 5,
  careers: 5,
  order: 20,
  activation: 30,
  device: 30,
  /** A waiting app polls twelve times a minute. */
  devicePoll: 60,
  /**
   * Calls of one kind that others may share: from one IPv6 /48, whose /64s also count as one caller each, with the limits above; and
   * signed-in ones from one IP address, whose sessions do.
   */
  network: 100,
  health: 60,
  /** Reports of a browser about violations of the content security policy. */
  cspReport: 30,
  /** Changes of an account's own settings, and its usage sessions: each leaves a row. */
  change: 30,
  export: 5,
  /** Pages of a statement, its file, and pages of what was sent in under an address. */
  statement: 20,
  /** Uses of tokens: twenty a second, far more than anybody talks. */
  usage: 1_200,
  /** Reports of many uses at once, of up to 500 each. */
  usageBatch: 30,
} as const

/**
 * How often a day (UTC), however many addresses and locations the calls come from. `signUp`: accounts made from
 * one network (IPv4 /24, IPv6 /48). `password`: wrong passwords at
 * the sign-in of one account, as NIST SP 800-63B allows; browsers that the account knows have their own count. Within a session, all
 * that it checks; `accountPassword` counts all sessions of an account together. `trial`: everybody who gets
 * trial tokens; `networkTrial`: those from one network.
 */
export const DAILY_LIMITS = {
  /** Mails to the unverified addresses of one mailbox, beyond the ten that its plain address has of its own. */
  mail: 40,
  ownMail: 10,
  /** Verification mails of one account. */
  verification: 5,
  /** What is added to an account to sign in with, of which each is mailed: apps, second steps, recovery codes. */
  addition: 30,
  /** Mails of an account with the link to the downloads. */
  download: 3,
  /** Beyond these a reset mail is sent only when no earlier link still works. */
  reset: 10,
  /** Mails that say that a ticket or an application arrived: anybody can name any address. */
  acknowledgement: 3,
  /** Tickets and applications that are stored and mailed about: of a verified account, and then of its network. */
  ownSubmission: 10,
  submission: 100,
  signUp: 100,
  password: 100,
  accountPassword: 300,
  /** Wrong codes of an authenticator app: of a session, a known browser or all others at a sign-in; and of an account. */
  code: 20,
  accountCode: 300,
  trial: 1_000,
  networkTrial: 20,
} as const

export type RateLimitName = keyof typeof RATE_LIMITS

/** Our ids: a short prefix and 26 lower-case letters and digits that sort by time. */
export const ID_PATTERN = /^[a-z]{2,5}_[0-9a-z]{26}$/

/** A month: "2026-11". */
export const MONTH_PATTERN = /^20\d\d-(0[1-9]|1[0-2])$/

/** How long an admin can undo the correction of an address. */
export const CORRECTION_DAYS = 7
