import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant } from './columns.ts'
import { ofUser } from './users.ts'

/** Public keys with which people sign in (WebAuthn). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    /** The credential id that the authenticator made, in base64url. */
    credentialId: text('credential_id').notNull().unique(),
    userId: ofUser(),
    name: text('name').notNull(),
    /** The COSE key, in base64url. */
    publicKey: text('public_key').notNull(),
    /** How often the authenticator has signed; 0 for one that does not count. */
    signCount: integer('sign_count').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
)

/** The authenticator app of an account (RFC 6238), at most one. */
export const totps = sqliteTable('totps', {
  userId: ofUser().primaryKey(),
  /** In Base32, readable, because codes are computed from it (docs/decisions/0062-two-step-sign-in.md). */
  secret: text('secret').notNull(),
  /** The time step of the last accepted code. A code of this step or an earlier one is rejected. */
  lastStep: integer('last_step').notNull(),
  createdAt: instant('created_at').notNull(),
})

/** Codes for an account whose factors are lost. Each works once; only its SHA-256 is stored. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    userId: ofUser(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('recovery_codes_user').on(table.userId)],
)

/** Challenges that a passkey has answered, until they expire: none is answered twice. */
export const answeredChallenges = sqliteTable(
  'answered_challenges',
  {
    challengeHash: text('challenge_hash').primaryKey(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('answered_challenges_expiry').on(table.expiresAt)],
)
