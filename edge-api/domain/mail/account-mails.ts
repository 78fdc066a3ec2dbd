import { answersIn, TRIAL_TOKENS } from '../../../src/contract/answers.ts'
import { z } from '../../../src/contract/zod.ts'
import { dayInWords } from '../time.ts'
import { Link, mailType, NoFacts, secretOrWiped } from './message.ts'
import { inFigures } from '../format-money.ts'

/** A link with which the reader says that something was not them. */
const notMe = (secret: string | null, origin: string) => ({
  action: { label: 'This was not me', url: `${origin}/not-me/${secretOrWiped(secret)}` },
  note: 'It opens a page that asks you to confirm, then signs out all devices and emails you a link to set a new password. It works for three days.',
})

/** Mails about an account and its sign-in methods. */
export const accountMails = {
  /** The first mail of an account. The link is valid for 24 hours. */
  verify_address: mailType(
    Link.extend({ hasTrial: z.boolean().default(true) }),
    ({ secret, hasTrial }, { brand, origin }) => ({
      subject: `Verify your email address for ${brand.productName}`,
      paragraphs: [
        `Welcome to ${brand.productName}.`,
        'Please confirm that this address is yours. The link works for 24 hours.' +
          (hasTrial
            ? ` You then get ${inFigures(TRIAL_TOKENS)} tokens to try the app, about ${answersIn(TRIAL_TOKENS)} answers, unless this address has had them before or none are left today: each day and each network have a limited number.`
            : ''),
      ],
      action: {
        label: 'Verify email address',
        url: `${origin}/verify-email/${secretOrWiped(secret)}`,
      },
      note: 'Didn\'t sign up? Don\'t confirm: someone else chose the password. To make the account yours, use "Forgot your password?"; otherwise ignore this and the reminders that follow.',
    }),
  ),

  /** Sent on request, to somebody who met us on a phone. */
  download_link: mailType(NoFacts, (_, { brand, origin }) => ({
    subject: `${brand.productName} for your computer`,
    paragraphs: [
      'You asked for this link on another device. Open it on the computer that you use for your calls: macOS 10.15 or later, or Windows 10/11.',
    ],
    action: { label: `Download ${brand.productName}`, url: `${origin}/download` },
    note: 'If it was not you, someone else is signed in to your account: see your sessions in its settings, under Security.',
  })),

  /** Sent on request, and when an account is locked. The link is valid for an hour. */
  reset_password: mailType(
    Link.extend({ isLocked: z.boolean().default(false) }),
    ({ secret, isLocked }, { brand, origin }) => ({
      subject: `Reset your ${brand.productName} password`,
      paragraphs: [
        isLocked
          ? 'Your account is locked, because somebody pressed "This was not me". Nobody can sign in until you set a new password.'
          : 'Someone, probably you, asked to reset the password of this account.',
        'The link works once, for one hour. Setting a new password signs out all your devices.',
      ],
      action: {
        label: 'Set a new password',
        url: `${origin}/reset-password/${secretOrWiped(secret)}`,
      },
      note: isLocked
        ? 'If the link has expired, choose "Forgot your password?" on the sign-in page to get another.'
        : 'If it was not you, ignore this email: your password stays the same.',
    }),
  ),

  /** After a change or a reset of the password. */
  password_changed: mailType(Link, ({ secret }, { brand, origin }) => ({
    subject: `Your ${brand.productName} password was changed`,
    paragraphs: ['Your password was just changed, and your other devices were signed out.'],
    ...notMe(secret, origin),
  })),

  /** To the user whose address somebody tried to register again. */
  registration_attempt: mailType(NoFacts, (_, { brand, origin }) => ({
    subject: `You already have a ${brand.productName} account`,
    paragraphs: [
      'Someone tried to register with this address. Nothing has changed.',
      'If it was you, sign in, or reset your password if you have forgotten it.',
    ],
    action: { label: 'Sign in', url: `${origin}/login` },
  })),

  /** Sent when a session begins on a device that is new to the account. */
  new_device: mailType(
    Link.extend({ device: z.string() }),
    ({ device, secret }, { brand, origin }) => ({
      subject: `New sign-in to ${brand.productName}`,
      paragraphs: [
        `We noticed a sign-in to your account on a new kind of device or from a new network: ${device}.`,
      ],
      ...notMe(secret, origin),
    }),
  ),

  /** Sent when a session approves the code of a desktop app. */
  device_approved: mailType(
    Link.extend({ client: z.string(), device: z.string() }),
    ({ client, device, secret }, { brand, origin }) => ({
      subject: `A new app was connected to your ${brand.productName} account`,
      paragraphs: [
        `An app that calls itself "${client}" can now sign in to your account. Its code was confirmed on ${device}.`,
      ],
      ...notMe(secret, origin),
    }),
  ),

  /** Sent when a Google account is connected: it can sign in from now on. */
  google_connected: mailType(
    Link.extend({ isPasswordCleared: z.boolean() }),
    ({ isPasswordCleared, secret }, { brand, origin }) => ({
      subject: `Google was connected to your ${brand.productName} account`,
      paragraphs: [
        'Someone signed in with the Google account for this address. It can sign in to your account from now on.',
        isPasswordCleared
          ? 'Whoever registered with this address may have been someone else, so all devices were signed out and the password no longer works. To set a password, choose "Forgot your password?" on the sign-in page.'
          : 'Your password still works.',
        'If it was not you, someone else has access to your Google account: secure it first.',
      ],
      ...notMe(secret, origin),
    }),
  ),

  /** Sent when a second step was added, removed or replaced by a recovery code. */
  factor_changed: mailType(
    Link.extend({ change: z.string(), isRecovery: z.boolean().default(false) }),
    ({ change, secret, isRecovery }, { brand, origin }) => ({
      subject: isRecovery
        ? `A recovery code was used for your ${brand.productName} account`
        : `Two-step sign-in changed on your ${brand.productName} account`,
      paragraphs: [change],
      ...notMe(secret, origin),
    }),
  ),

  /** 30 days before new terms count for the account. `from` in milliseconds UTC. */
  terms_changed: mailType(
    z.object({ from: z.int(), changes: z.array(z.string()) }),
    ({ from, changes }, { brand, origin }) => ({
      subject: `The ${brand.productName} terms change on ${dayInWords(from)}`,
      paragraphs: [
        `We changed our terms or our privacy page. The change applies to your account from ${dayInWords(from)}, and to what you buy before that from the purchase on.`,
        ...changes,
        'If you agree, there is nothing to do now: we will ask you to accept on your next visit after that day. If you do not, ask support to refund the unused part of your last purchase, then delete your account in its settings.',
      ],
      action: { label: 'Read the terms', url: `${origin}/terms` },
      note: `The privacy page: ${origin}/privacy`,
    }),
  ),

  /** Sent when the optional mails were switched on or off. */
  mails_changed: mailType(
    Link.extend({ areRemindersOn: z.boolean() }),
    ({ areRemindersOn, secret }, { brand, origin }) => ({
      subject: `Your ${brand.productName} email preferences were changed`,
      paragraphs: [
        areRemindersOn
          ? 'You will now get email reminders before your plan or your tokens run out.'
          : 'You will no longer get email reminders. We still email you about payments, refunds, your password, and a sign-in on a new kind of device or from a new network.',
      ],
      ...notMe(secret, origin),
    }),
  ),

  /** The last mail to an address, written in the batch that deletes it. */
  account_deleted: mailType(NoFacts, (_, { brand, origin }) => ({
    subject: `Your ${brand.productName} account was deleted`,
    paragraphs: [
      'Your account was deleted, with your profile, your sessions and what you wrote to us from this address.',
      'Some things stay because a law or money depends on them: receipts, payments and the ledger of tokens; what Razorpay reported, for 90 days; this email, for 30.',
    ],
    action: {
      label: 'What stays, and for how long',
      url: `${origin}/privacy#what-deletion-leaves`,
    },
  })),
}
