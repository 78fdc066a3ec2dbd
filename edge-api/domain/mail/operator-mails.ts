import { Currency } from '../../../src/contract/currency.ts'
import { z } from '../../../src/contract/zod.ts'
import { ALERTS, isAlertKind, sayFields } from '../ports/alerts.ts'
import { minuteInWords } from '../time.ts'
import { formatMoney } from '../format-money.ts'
import { mailType } from './message.ts'

/** The fields of an alert's log line. */
const Fields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Mails to the owner of the site. */
export const operatorMails = {
  /** A deployment writes it into the outbox, to see that the new Worker sends it. */
  deployment_test: mailType(z.object({ commit: z.string() }), ({ commit }, { brand, origin }) => ({
    subject: `${brand.productName} ${commit} is deployed`,
    paragraphs: [`${origin} runs ${commit} and can send email. There is nothing you need to do.`],
  })),

  /** An alert, with at most one mail an hour for each kind. */
  alarm_for_operator: mailType(
    z.object({ kind: z.string(), fields: Fields, count: z.int(), firstAt: z.int() }),
    ({ kind, fields, count, firstAt }, { adminOrigin }) => ({
      subject: `Alert: ${kind}`,
      paragraphs: [
        isAlertKind(kind) ? ALERTS[kind] : 'See this alert in the runbook (docs/runbook.md).',
      ],
      rows: [
        [
          'Raised',
          `${count === 1 ? 'once' : `${count} times`}, first at ${minuteInWords(firstAt)}`,
        ],
        ...sayFields(fields),
      ],
      action: { label: 'See what is open', url: `${adminOrigin}/admin` },
      note: 'Until somebody acknowledges it there, you get at most one email an hour about it.',
    }),
  ),

  /** The UTC day before, in each currency that sold or gave back something, and what has been open for longest. */
  day_for_operator: mailType(
    z.object({
      day: z.iso.date(),
      figures: z.array(
        z.object({
          currency: Currency,
          sales: z.int(),
          soldMinor: z.int(),
          refundedMinor: z.int(),
          lostMinor: z.int().default(0),
        }),
      ),
      /** The most urgent first. Its name is from when the oldest came first. */
      oldest: z.array(z.object({ what: z.string(), since: z.int(), until: z.int().nullable() })),
    }),
    ({ day, figures, oldest }, { adminOrigin, brand }) => ({
      subject: `${brand.productName} on ${day}`,
      paragraphs: [
        figures.length === 0
          ? 'Nothing was sold, refunded or lost.'
          : 'This was sold, refunded and lost:',
        oldest.length === 0 ? 'Nothing is waiting.' : 'Below is what is most urgent.',
      ],
      rows: [
        ...figures.map(
          ({ currency, sales, soldMinor, refundedMinor, lostMinor }) =>
            [
              currency,
              `${sales} sold for ${formatMoney(soldMinor, currency)}, ${formatMoney(refundedMinor, currency)} refunded${lostMinor === 0 ? '' : `, ${formatMoney(lostMinor, currency)} lost to banks`}`,
            ] as const,
        ),
        ...oldest.map(({ what, since, until }) => [what, waitOf(since, until)] as const),
      ],
      action: { label: 'Look at today', url: `${adminOrigin}/admin` },
    }),
  ),
}

function waitOf(since: number, until: number | null): string {
  const limit = until === null ? '' : `, answer by ${minuteInWords(until)}`
  return `since ${minuteInWords(since)}${limit}`
}
