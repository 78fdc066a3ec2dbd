import { z } from '../../../src/contract/zod.ts'
import { ALERTS, isAlertKind } from '../ports/alerts.ts'
import { toIso } from '../time.ts'
import { mailType } from './message.ts'

/** What a log line says about an alert. */
const Fields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Mails to the operator of the site. */
export const operatorMails = {
  /** A deployment writes it into the outbox, to see that the new Worker sends it. */
  deployment_test: mailType(z.object({ commit: z.string() }), ({ commit }, { brand, origin }) => ({
    subject: `${brand.productName} ${commit} is deployed`,
    paragraphs: [`${origin} runs ${commit} and can send mail. You need not do anything.`],
  })),

  /** An alert; of each kind at most one mail an hour. */
  alarm_for_operator: mailType(
    z.object({ kind: z.string(), fields: Fields, count: z.int(), firstAt: z.int() }),
    ({ kind, fields, count, firstAt }, { origin }) => ({
      subject: `Alarm: ${kind}`,
      paragraphs: [
        isAlertKind(kind) ? ALERTS[kind] : 'See this alert in the runbook (docs/runbook.md).',
      ],
      rows: [
        ['Raised', `${count === 1 ? 'once' : `${count} times`}, first at ${toIso(firstAt)}`],
        ...Object.entries(fields).map(([name, value]) => [name, String(value)] as const),
      ],
      action: { label: 'Acknowledge it at the desk', url: `${origin}/desk` },
      note: 'While it stands, you get at most one mail an hour about alarms of this kind.',
    }),
  ),
}
