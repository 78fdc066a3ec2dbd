import { z } from '../../../src/contract/zod.ts'
import { mailType } from './message.ts'

/** The secret part of a mailed link. Delivery replaces it with null once the mail is sent. */
const Link = z.object({ secret: z.string().nullable() })
const NoFacts = z.object({})

const secretOrWiped = (secret: string | null) => secret ?? '(wiped)'

/** Mails about an account and the ways into it. */
export const accountMails = {
  /** The first mail of an account. The link is valid for 24 hours. */
  verify_address: mailType(Link, ({ secret }, { brand, origin }) => ({
    subject: `Verify your email address for ${brand.productName}`,
    paragraphs: [
      `Welcome to ${brand.productName}.`,
      'Please confirm that this address is yours. The link works for 24 hours.',
    ],
    action: {
      label: 'Verify email address',
      url: `${origin}/verify-email/${secretOrWiped(secret)}`,
    },
    note: 'If you did not register, you can ignore this mail: without the link nothing happens.',
  })),

  /** Sent on request. The link is valid for an hour. */
  reset_password: mailType(Link, ({ secret }, { brand, origin }) => ({
    subject: `Reset your ${brand.productName} password`,
    paragraphs: [
      'Somebody, probably you, asked to reset the password of this account.',
      'The link works once, for one hour. All devices will be signed out.',
    ],
    action: {
      label: 'Set a new password',
      url: `${origin}/reset-password/${secretOrWiped(secret)}`,
    },
    note: 'If it was not you, ignore this mail: your password stays as it is.',
  })),

  /** After a change or a reset of the password. */
  password_changed: mailType(NoFacts, (_, { brand, origin }) => ({
    subject: `Your ${brand.productName} password was changed`,
    paragraphs: [
      'The password of your account was just changed, and other devices were signed out.',
    ],
    action: { label: 'Not you? Reset the password', url: `${origin}/forgot-password` },
  })),

  /** To the user whose address somebody tried to register again. */
  registration_attempt: mailType(NoFacts, (_, { brand, origin }) => ({
    subject: `You have a ${brand.productName} account already`,
    paragraphs: [
      'Somebody tried to register with this address. Nothing was changed.',
      'If it was you, sign in, or reset the password if you no longer know it.',
    ],
    action: { label: 'Sign in', url: `${origin}/login` },
  })),

  /** Sent when a session begins on a device that is new to the account. */
  new_device: mailType(z.object({ device: z.string() }), ({ device }, { brand, origin }) => ({
    subject: `New sign-in to ${brand.productName}`,
    paragraphs: [`Your account was signed in on a new device: ${device}.`],
    action: { label: 'Look at your sessions', url: `${origin}/profile?tab=security` },
    note: 'If it was not you, end the session there and change your password.',
  })),

  /** Sent when a session approves the code of a desktop app. */
  device_approved: mailType(
    z.object({ client: z.string(), device: z.string() }),
    ({ client, device }, { brand, origin }) => ({
      subject: `An app was let into your ${brand.productName} account`,
      paragraphs: [
        `An app that calls itself "${client}" may sign in to your account. The code was approved on ${device}.`,
      ],
      action: { label: 'Look at your sessions', url: `${origin}/profile?tab=security` },
      note: 'If it was not you, end all other sessions there and change your password.',
    }),
  ),

  /** Sent when a Google account is connected: it can sign in from now on. */
  google_connected: mailType(
    z.object({ isPasswordCleared: z.boolean() }),
    ({ isPasswordCleared }, { brand, origin }) => ({
      subject: `Google was connected to your ${brand.productName} account`,
      paragraphs: [
        'Somebody signed in with the Google account of this address. It can sign in to your account from now on.',
        isPasswordCleared
          ? 'Whoever registered with this address may have been somebody else. All devices were therefore signed out, and the password no longer works. To set a password, choose "Forgot your password?" on the sign-in page.'
          : 'Your password still works.',
      ],
      action: { label: 'Look at your sessions', url: `${origin}/profile?tab=security` },
      note: 'If it was not you, your Google account is in other hands: secure it first, then write to us.',
    }),
  ),

  /** Sent when a second step was added, removed or replaced by a recovery code. */
  factor_changed: mailType(z.object({ change: z.string() }), ({ change }, { brand, origin }) => ({
    subject: `The second step of your ${brand.productName} account`,
    paragraphs: [change],
    action: { label: 'Look at your settings', url: `${origin}/profile?tab=security` },
  })),

  /** The last mail to an address, written in the batch that deletes it. */
  account_deleted: mailType(NoFacts, (_, { brand }) => ({
    subject: `Your ${brand.productName} account was deleted`,
    paragraphs: [
      'Your account and your personal data were deleted, as you asked. Receipts are kept as long as the law asks.',
    ],
  })),
}
