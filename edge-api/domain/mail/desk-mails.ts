import { z } from '../../../src/contract/zod.ts'
import { mailType } from './message.ts'

const NoFacts = z.object({})

/** Mails about what an operator did to an account. */
export const deskMails = {
  account_suspended: mailType(NoFacts, (_, { brand }) => ({
    subject: `Your ${brand.productName} account is suspended`,
    paragraphs: [
      'We suspended your account and signed all of your devices out. What you paid and your tokens stay recorded.',
      `If you want to know why, think that this is a mistake, or want the money for your unused tokens back, write to ${brand.supportEmail}.`,
    ],
  })),

  suspension_lifted: mailType(NoFacts, (_, { brand, origin }) => ({
    subject: `Your ${brand.productName} account works again`,
    paragraphs: ['The suspension of your account was lifted. You can sign in again.'],
    action: { label: 'Sign in', url: `${origin}/login` },
  })),
}
