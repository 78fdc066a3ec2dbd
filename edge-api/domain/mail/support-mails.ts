import { CORRECTION_DAYS } from '../../../src/contract/limits.ts'
import { Link, mailType, NoFacts, secretOrWiped } from './message.ts'

/** Mails about what our support did to an account. */
export const supportMails = {
  account_suspended: mailType(NoFacts, (_, { brand }) => ({
    subject: `Your ${brand.productName} account is suspended`,
    paragraphs: [
      'We suspended your account and signed out all your devices. Your payments and your tokens stay on record.',
      `If you want to know why, think this is a mistake, or want a refund for your unused tokens, write to ${brand.supportEmail}.`,
    ],
  })),

  /** To the address that an admin gave an account, in no words of its user. The link proves it and is valid for 24 hours. */
  address_corrected: mailType(Link, ({ secret }, { brand, origin }) => ({
    subject: `Confirm the new email address of your ${brand.productName} account`,
    paragraphs: [
      'Our support team gave an account this address because its user asked for it. All devices were signed out.',
      'Please confirm that the address is yours. The link works for 24 hours; after that, sign in and request another one.',
      'If your password does not work, choose "Forgot your password?" on the sign-in page.',
    ],
    action: {
      label: 'Verify email address',
      url: `${origin}/verify-email/${secretOrWiped(secret)}`,
    },
    note: `If you have no such account, ignore this email or write to ${brand.supportEmail}.`,
  })),

  /** To the address that an account no longer has. It may be a stranger's, so it names neither account nor new address. */
  address_replaced: mailType(NoFacts, (_, { brand }) => ({
    subject: `A ${brand.productName} account no longer has this address`,
    paragraphs: [
      'Our support team corrected the address of an account that had this one. Links we emailed here no longer work.',
      `If the account is yours and you did not ask for this, write to ${brand.supportEmail} within ${CORRECTION_DAYS} days: until then we can undo it.`,
    ],
  })),

  /** To the address that an account got back. */
  address_restored: mailType(NoFacts, (_, { brand, origin }) => ({
    subject: `Your ${brand.productName} account has this address again`,
    paragraphs: [
      'Our support team changed your account back to this address. All devices were signed out.',
      'If your password does not work, choose "Forgot your password?" on the sign-in page.',
    ],
    action: { label: 'Sign in', url: `${origin}/login` },
  })),

  suspension_lifted: mailType(NoFacts, (_, { brand, origin }) => ({
    subject: `Your ${brand.productName} account works again`,
    paragraphs: ['Your account is no longer suspended. You can sign in again.'],
    action: { label: 'Sign in', url: `${origin}/login` },
  })),
}
