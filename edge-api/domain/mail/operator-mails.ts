import { z } from '../../../src/contract/zod.ts'
import { mailType } from './message.ts'

/** Mails to the operator of the site. */
export const operatorMails = {
  /** A deployment writes it into the outbox, to see that the new Worker sends it. */
  deployment_test: mailType(z.object({ commit: z.string() }), ({ commit }, { brand, origin }) => ({
    subject: `${brand.productName} ${commit} is deployed`,
    paragraphs: [`${origin} runs ${commit} and can send mail. You need not do anything.`],
  })),
}
