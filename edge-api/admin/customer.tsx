/** @jsxImportSource hono/jsx */
import { sql } from 'drizzle-orm'
import { OUTSIDE_INDIA, PLACES } from '../../src/contract/billing.ts'
import { CORRECTION_DAYS } from '../../src/contract/limits.ts'
import { subscriptionOf } from '../domain/entitlement/plan.ts'
import { formatMoney, inFigures, receiptNumber } from '../domain/format-money.ts'
import { isReturnedByBank } from '../domain/purchase/purchase.ts'
import { billingOf } from '../domain/purchase/tax.ts'
import { days, inMinutes } from '../domain/time.ts'
import { pageOf } from './actions/action.ts'
import { ACCOUNT_ACTIONS } from './actions/actions.ts'
import { type CustomerRows, readCustomer } from './customer-rows.ts'
import { List } from './list.tsx'
import { ActionLink, Badge, type Call, Facts, RazorpayLink, show, showProblem } from './page.tsx'

/** `GET /admin/customers/ID`: one account. With `?purchase=ID` the evidence for a dispute of that purchase, for printing. */
export async function showCustomer(c: Call): Promise<Response> {
  const { ctx } = c.env
  const userId = c.req.param('id') ?? ''
  const purchaseId = c.req.query('purchase')
  const rows = await readCustomer(ctx, userId, purchaseId)
  const { purchases, timeline } = rows
  const [account] = rows.users
  if (account === undefined)
    return showProblem(c, 'There is no such account. Find it by its address.', 404)
  const isEvidence = purchaseId !== undefined
  const { email, deletedAt } = account.user
  const link = isEvidence ? (
    <p class="no-print">
      Print this page to a file (Ctrl+P, on a Mac ⌘P), and answer with it in{' '}
      <a href="https://dashboard.razorpay.com/app/disputes" rel="noreferrer">
        Razorpay’s dashboard
      </a>
      . <a href={pageOf(userId)}>All about this customer</a>
    </p>
  ) : null
  return show(
    c,
    { title: isEvidence ? `Evidence: ${email}` : email },
    <>
      {whoIs(rows, ctx.now, ctx.origin)}
      {isEvidence || deletedAt !== null ? link : buttons(rows, userId)}
      <h2>Purchases</h2>
      {purchases.length === 0 ? <p class="muted">None.</p> : null}
      {purchases.map((row) => (
        <Purchase row={row} rows={rows} isEvidence={isEvidence} />
      ))}
      <h2>{isEvidence ? 'Since the day of the order' : 'Timeline'}</h2>
      <List name="Timeline" rows={timeline} of={userId} now={ctx.now} />
    </>,
  )
}

const minuteOf = (at: number | null) => (at === null ? 'never' : `${inMinutes(at)} UTC`)

function whoIs(rows: CustomerRows, now: number, origin: string) {
  const [account] = rows.users
  if (account === undefined) return null
  const { user, tokensTotal, tokensUsed } = account
  const { status, plan, currentPeriodEnd } = subscriptionOf(account, now)
  const [correction] = rows.corrections
  const methods = {
    password: user.passwordHash !== '',
    Google: user.googleSubject !== null,
    passkey: account.hasPasskey === 1,
    'authenticator app': account.hasTotp === 1,
  }
  const signsInWith = Object.entries(methods).flatMap(([name, isSet]) => (isSet ? [name] : []))
  const tokens = `${inFigures(tokensTotal - tokensUsed)} left, ${inFigures(tokensUsed)} of ${inFigures(tokensTotal)} used`
  const sessions = rows.sessions.map((one) => `${one.device} (${inMinutes(one.lastUsedAt)})`)
  const states = {
    'locked by “This was not me” until a mailed link sets a password': user.lockedAt !== null,
    suspended: user.suspendedAt !== null,
    deleted: user.deletedAt !== null,
    'not verified': user.emailVerifiedAt === null,
    'address corrected': correction !== undefined,
  }
  return (
    <>
      <p class="row">
        <Badge tone={status === 'active' ? 'green' : status === 'past_due' ? 'red' : ''}>
          {plan === null ? 'no plan' : `${plan}: ${status.replaceAll('_', ' ')}`}
        </Badge>
        {Object.entries(states).map(([state, isSo]) =>
          isSo ? <Badge tone="red">{state}</Badge> : null,
        )}
      </p>
      <Facts
        facts={[
          ['Name', [user.firstName, user.lastName].filter(Boolean).join(' ')],
          ['Username', user.username],
          ['Plan until', currentPeriodEnd?.slice(0, 10)],
          ['Tokens', tokens],
          ['Registered', minuteOf(user.createdAt)],
          ['Address verified', minuteOf(user.emailVerifiedAt)],
          [
            'Former address',
            correction &&
              `${correction.email}, can be undone until ${minuteOf(correction.correctedAt + days(CORRECTION_DAYS))}`,
          ],
          ['Signs in with', signsInWith.join(', ') || 'nothing'],
          [
            'Terms accepted',
            `version ${user.termsVersion}, ${minuteOf(user.termsAcceptedAt)} (${origin}/terms)`,
          ],
          ['Open sessions', sessions.join(' · ')],
          ['Id', user.id],
        ]}
      />
    </>
  )
}

/** The actions that make sense for the account as it is. */
function buttons({ users, corrections, sessions }: CustomerRows, userId: string) {
  const [account] = users
  const isSuspended = account?.user.suspendedAt != null
  const isCorrected = corrections.length > 0
  const offered: Record<string, boolean> = {
    end_sessions: sessions.length > 0,
    suspend: !isSuspended,
    lift_suspension: isSuspended,
    correct_address: !isCorrected,
    undo_correction: isCorrected,
    extend_plan: account?.planSku != null && account.planReversedAt === null,
  }
  return (
    <p class="row no-print">
      {ACCOUNT_ACTIONS.map(({ kind, label, isDangerous }) =>
        offered[kind] === false ? null : (
          <ActionLink {...{ kind, label, isDangerous }} target={{ user: userId }} />
        ),
      )}
    </p>
  )
}

type PurchaseRow = CustomerRows['purchases'][number]
type Payment = CustomerRows['payments'][number]['payment']

/** What somebody has to do about a purchase. What has a deadline comes first. */
function tasksOf({ hasMismatch, isQuestioned, isDisputed, respondBy }: PurchaseRow): string[] {
  const answer =
    respondBy === null
      ? 'There is no deadline. Either it was answered and the bank is reviewing it, or it needs an answer: look in Razorpay’s dashboard.'
      : `Print the evidence, and answer in Razorpay’s dashboard before ${minuteOf(respondBy)}.`
  return [
    ...(isDisputed === 1
      ? [`The bank is disputing this payment: do not refund it meanwhile. ${answer}`]
      : isQuestioned === 1
        ? [
            `The bank asks about this payment and has taken nothing; a refund may settle it. ${answer}`,
          ]
        : []),
    ...(hasMismatch === 1
      ? [
          'The money that arrived does not match the order, and bought nothing. Refund it in Razorpay’s dashboard; the webhook closes the case.',
        ]
      : []),
  ]
}

const Purchase = ({
  row,
  rows,
  isEvidence,
}: {
  row: PurchaseRow
  rows: CustomerRows
  isEvidence: boolean
}) => {
  const { purchase, receipt, leftMinor, goneTokens } = row
  const { id, userId, sku, amountMinor, currency, termsVersion } = purchase
  const title = `${sku.replaceAll('_', ' ')} · ${formatMoney(amountMinor, currency)}`
  const target = { user: userId, purchase: id }
  const payments = rows.payments.filter(({ payment }) => payment.purchaseId === id)
  const ended = isReturnedByBank(purchase, row.refundedMinor)
    ? 'returned by the bank'
    : purchase.status
  const status = row.isDisputed === 1 ? 'disputed' : ended
  const bought = inFigures(purchase.tokens)
  return (
    <section class="card stack" id={id} aria-label={title}>
      <p class="row">
        <strong>{title}</strong>{' '}
        <Badge tone={status === 'paid' ? 'green' : /^(review|disputed)$/.test(status) ? 'red' : ''}>
          {status}
        </Badge>
        {leftMinor !== null && leftMinor > 0 && row.isGrantDisputed === 0 ? (
          <ActionLink kind="refund" label="Refund by the formula" target={target} of={title} />
        ) : null}
        <ActionLink kind="ask_provider" label="Ask Razorpay now" target={target} of={title} />
        {row.hasDispute === 1 && !isEvidence ? (
          <a class="button button-small no-print" href={`${pageOf(userId)}?purchase=${id}`}>
            Evidence
          </a>
        ) : null}
      </p>
      {tasksOf(row).map((task) => (
        <p class="notice notice-error no-print">{task}</p>
      ))}
      <Facts
        facts={[
          [
            'Ordered',
            [minuteOf(purchase.createdAt), purchase.country].filter(Boolean).join(' from '),
          ],
          ['Delivered', goneTokens === null ? 'nothing yet' : `${bought} tokens, online, at once`],
          ['Tokens of it used', goneTokens === null ? null : usedInWords(row, goneTokens)],
          ['Left of the payment', leftMinor === null ? null : formatMoney(leftMinor, currency)],
          [
            'Receipt',
            receipt &&
              `${receiptNumber(receipt)}, ${minuteOf(receipt.issuedAt)}, to ${receipt.buyerName}, ${receipt.buyerEmail}, for ${receipt.line}`,
          ],
          ['Terms accepted with it', termsVersion && `version ${termsVersion}`],
          ['Its id', id],
          ...payments.map(({ payment }) => ['Payment', paymentOf(payment, purchase)] as const),
        ]}
      />
      {payments.length === 0 ? null : (
        <p class="small muted no-print">
          To refund any amount, open the payment in Razorpay’s dashboard. The webhook brings the
          result here.
        </p>
      )}
    </section>
  )
}

/** A bank reads it: what an admin took must not count as used. */
function usedInWords({ purchase, takenTokens }: PurchaseRow, gone: number): string {
  const bought = inFigures(purchase.tokens)
  if (gone === 0 || takenTokens === 0) return `${inFigures(gone)} of ${bought}`
  const least = inFigures(Math.max(0, gone - takenTokens))
  return `at least ${least} of ${bought}; support removed ${inFigures(takenTokens)} from the account`
}

function paymentOf(payment: Payment, purchase: PurchaseRow['purchase']) {
  const { id, status, amountMinor, currency, method, errorReason, conflictAt } = payment
  const reason = conflictAt === null ? errorReason : 'contradicts itself'
  const doubt = status === 'captured' ? doubtOfPlace(purchase, payment) : null
  const parts = [status, reason, formatMoney(amountMinor, currency), method, doubt]
  return (
    <>
      <RazorpayLink id={id} /> {parts.filter(Boolean).join(', ')}
    </>
  )
}

/** Evidence against the buyer's stated place, on which the tax depends; null when there is none. */
function doubtOfPlace(purchase: PurchaseRow['purchase'], { isInternational }: Payment) {
  const place = billingOf(purchase)?.place
  if (place === undefined) return null
  if (place === OUTSIDE_INDIA) {
    return isInternational === false ? 'by an Indian card, but the buyer said Outside India' : null
  }
  // Razorpay may call any payment in another currency international.
  const isAbroad = isInternational === true && purchase.currency === 'INR'
  return isAbroad ? `by a card from abroad, but the buyer said ${PLACES[place] ?? place}` : null
}

/** `GET /admin/disputes/ID`, to which a mail leads: the evidence for it. */
export async function leadToEvidence(c: Call): Promise<Response> {
  const { db } = c.env.ctx
  const [[dispute]] = await db.batch([
    db.all<{ place: string }>(sql`
    SELECT '/admin/customers/' || p.user_id || '?purchase=' || p.id AS place
    FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id JOIN purchases p ON p.id = m.purchase_id
    WHERE t.id = ${c.req.param('id')} AND t.kind = 'dispute'`),
  ])
  if (dispute === undefined)
    return showProblem(c, 'There is no such dispute. Look in Razorpay’s dashboard.', 404)
  return c.redirect(dispute.place, 302)
}
