import type { Brand } from '../context.ts'
import type { Message } from './message.ts'

/** The first mail of an account. The link holds for 24 hours. */
export function verifyAddressMessage(brand: Brand, url: string): Message {
  return {
    kind: 'verify_address',
    subject: `Verify your email address for ${brand.productName}`,
    paragraphs: [
      `Welcome to ${brand.productName}.`,
      'Please confirm that this address is yours. The link works for 24 hours.',
    ],
    action: { label: 'Verify email address', url },
    note: 'If you did not register, you can ignore this mail: without the link nothing happens.',
    hasSecret: true,
  }
}

/** Sent on request. The link holds for an hour. */
export function resetPasswordMessage(brand: Brand, url: string): Message {
  return {
    kind: 'reset_password',
    subject: `Reset your ${brand.productName} password`,
    paragraphs: [
      'Somebody, probably you, asked to reset the password of this account.',
      'The link works once, for one hour. All devices will be signed out.',
    ],
    action: { label: 'Set a new password', url },
    note: 'If it was not you, ignore this mail: your password stays as it is.',
    hasSecret: true,
  }
}

/** To the owner after a change or a reset. `origin` is the address of the site, without a slash at its end. */
export function passwordChangedMessage(brand: Brand, origin: string): Message {
  return {
    kind: 'password_changed',
    subject: `Your ${brand.productName} password was changed`,
    paragraphs: [
      'The password of your account was just changed, and other devices were signed out.',
    ],
    action: { label: 'Not you? Reset the password', url: `${origin}/forgot-password` },
    hasSecret: false,
  }
}

/** To the owner of an address that somebody tried to register again. */
export function registrationAttemptMessage(brand: Brand, origin: string): Message {
  return {
    kind: 'registration_attempt',
    subject: `You have a ${brand.productName} account already`,
    paragraphs: [
      'Somebody tried to register with this address. Nothing was changed.',
      'If it was you, sign in, or reset the password if you no longer know it.',
    ],
    action: { label: 'Sign in', url: `${origin}/login` },
    hasSecret: false,
  }
}

/**
 * To the owner when a session begins on a device that was not seen before. `device` is its name as a person reads it.
 */
export function newDeviceMessage(brand: Brand, origin: string, device: string): Message {
  return {
    kind: 'new_device',
    subject: `New sign-in to ${brand.productName}`,
    paragraphs: [`Your account was signed in on a new device: ${device}.`],
    action: { label: 'Look at your sessions', url: `${origin}/profile?tab=security` },
    note: 'If it was not you, end the session there and change your password.',
    hasSecret: false,
  }
}

/** Somebody who holds the account's address at Google can sign in from now on: the owner is told. */
export function googleConnectedMessage(brand: Brand, origin: string): Message {
  return {
    kind: 'google_connected',
    subject: `Google was connected to your ${brand.productName} account`,
    paragraphs: [
      'Somebody signed in with the Google account of this address. It can sign in to your account from now on, and your password still works.',
    ],
    action: { label: 'Look at your sessions', url: `${origin}/profile?tab=security` },
    note: 'If it was not you, your Google account is in other hands: secure it first, then write to us.',
    hasSecret: false,
  }
}

/** The last mail to an address, written in the batch that forgets it. */
export function accountDeletedMessage(brand: Brand): Message {
  return {
    kind: 'account_deleted',
    subject: `Your ${brand.productName} account was deleted`,
    paragraphs: [
      'Your account and your personal data were deleted, as you asked. Receipts are kept as long as the law asks.',
    ],
    hasSecret: false,
  }
}
