/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { CORRECTION_DAYS } from '../../src/contract/limits.ts'
import { subscriptionOf } from '../domain/account/plan.ts'
import { formatMoney, inFigures } from '../domain/format-money.ts'
import { days, inMinutes } from '../domain/time.ts'
import { ACCOUNT_ACTIONS } from './actions/actions.ts'
import { pageOf } from './actions/action.ts'
import { LIST } from './actions/submission.ts'
import {
  type Entry,
  inWords,
  minuteOf,
  purchaseOfDispute,
  type PurchaseView,
  stateOf,
  toPurchaseView,
} from './customer-money.ts'
import { type CustomerRows, customerStatements, timelineOf } from './customer-rows.ts'
import {
  ActionLink,
  Badge,
  type Call,
  Facts,
  RazorpayLink,
  show,
  showProblem,
  Table,
  When,
} from './page.tsx'

/**
 * `GET /admin/customers/ID`: one account with everything that happened to it. With `?purchase=ID` it is the evidence for a
 * dispute of that purchase: what happened since the day of the order, oldest first, for printing.
 */
export async function showCustomer(c: Call): Promise<Response> {
  const { ctx } = c.env
  const userId = c.req.param('id') ?? ''
  const wanted = c.req.query('purchase')
  const all = await ctx.db.batch(customerStatements(ctx, userId))
  const [found] = all.users
  if (found === undefined)
    return showProblem(c, 'There is no such account. Find it by its address.', 404)
  const sold = all.purchases.find(({ purchase }) => purchase.id === wanted)?.purchase
  const since = sold && sold.createdAt - (sold.createdAt % days(1))
  const rows =
    since === undefined ? all : await ctx.db.batch(customerStatements(ctx, userId, since))
  const purchases = rows.purchases
    .filter(({ purchase }) => sold === undefined || purchase.id === sold.id)
    .map((row) => toPurchaseView(row, rows))
  const entries = timelineOf(rows)
  const isEvidence = (entry: Entry) =>
    entry.at >= (since ?? 0) &&
    EVIDENCE.includes(entry.about) &&
    (entry.purchaseId ?? sold?.id) === sold?.id
  const shown = sold === undefined ? entries : entries.filter(isEvidence).toReversed()
  const title = sold === undefined ? found.user.email : `Evidence: ${found.user.email}`
  return show(
    c,
    { title },
    <>
      {who(rows, ctx.now, ctx.origin)}
      {sold === undefined ? (
        buttons(rows)
      ) : (
        <p class="no-print">
          Print this page to a file, and answer with it in Razorpay’s dashboard.{' '}
          <a href={pageOf(userId)}>All about this customer</a>
        </p>
      )}
      <h2>Purchases</h2>
      {purchases.length === 0 ? <p class="muted">None.</p> : null}
      {purchases.map((purchase) => (
        <Purchase userId={userId} purchase={purchase} isAlone={sold !== undefined} />
      ))}
      <h2>{sold === undefined ? 'Timeline' : 'Since the day of the order'}</h2>
      <Timeline userId={userId} entries={shown} />
    </>,
  )
}

/** `GET /admin/disputes/ID`, to which a mail leads: the evidence for it. */
export async function leadToEvidence(c: Call): Promise<Response> {
  const { ctx } = c.env
  const [[found]] = await ctx.db.batch([purchaseOfDispute(ctx, c.req.param('id') ?? '')])
  if (found === undefined)
    return showProblem(c, 'There is no such dispute. Look in Razorpay’s dashboard.', 404)
  return c.redirect(`${pageOf(found.userId)}?purchase=${found.id}`, 302)
}

/** The kinds of entries that answer a bank. */
const EVIDENCE = ['account', 'use', 'mail', 'purchase', 'payment', 'tokens', 'refund', 'dispute']

function who(rows: CustomerRows, now: number, origin: string) {
  const [found] = rows.users
  if (found === undefined) return null
  const { user, ...account } = found
  const { status, plan, currentPeriodEnd } = subscriptionOf(account, now)
  const [correction] = rows.corrections
  const methods = {
    password: user.passwordHash !== '',
    Google: user.googleSubject !== null,
    passkey: account.hasPasskey === 1,
    'authenticator app': account.hasTotp === 1,
  }
  const isVerified = user.emailVerifiedAt !== null
  const left = account.tokensTotal - account.tokensUsed
  const tokens = `${inFigures(left)} left, ${inFigures(account.tokensUsed)} of ${inFigures(account.tokensTotal)} used`
  const written: Child[] = [
    ...rows.tickets.map(({ number }) => `T-${number}`),
    ...rows.applications.map(({ number }) => `A-${number}`),
  ].map((name) => (
    <>
      <a href={`${LIST}/${name}`}>{name}</a>{' '}
    </>
  ))
  return (
    <>
      <p class="row">
        <Badge tone={status === 'active' ? 'green' : status === 'past_due' ? 'red' : ''}>
          {plan === null ? 'no plan' : `${plan}: ${inWords(status)}`}
        </Badge>
        {user.lockedAt === null ? null : (
          <Badge tone="red">locked by “This was not me” until a mailed link sets a password</Badge>
        )}
        {user.suspendedAt === null ? null : <Badge tone="red">suspended</Badge>}
        {user.deletedAt === null ? null : <Badge tone="red">deleted</Badge>}
        {isVerified ? null : <Badge tone="orange">not verified</Badge>}
        {correction === undefined ? null : <Badge tone="orange">address corrected</Badge>}
      </p>
      <Facts
        facts={[
          ['Name', [user.firstName, user.lastName].filter(Boolean).join(' ')],
          ['Username', user.username],
          ['Plan until', currentPeriodEnd === null ? null : currentPeriodEnd.slice(0, 10)],
          ['Tokens', tokens],
          ['Registered', minuteOf(user.createdAt)],
          [
            'Address verified',
            user.emailVerifiedAt === null ? 'never' : minuteOf(user.emailVerifiedAt),
          ],
          [
            'Former address',
            correction &&
              `${correction.email}, can be undone until ${minuteOf(correction.correctedAt + days(CORRECTION_DAYS))}`,
          ],
          [
            'Signs in with',
            Object.entries(methods)
              .flatMap(([method, isSet]) => (isSet ? [method] : []))
              .join(', ') || 'nothing',
          ],
          [
            'Terms accepted',
            `version ${user.termsVersion}, ${minuteOf(user.termsAcceptedAt)} (${origin}/terms)`,
          ],
          [
            'Open sessions',
            rows.sessions
              .map(({ device, lastUsedAt }) => `${device} (${inMinutes(lastUsedAt)})`)
              .join(' · '),
          ],
          ['Wrote', written.length === 0 ? null : written],
          ['Id', user.id],
        ]}
      />
    </>
  )
}

/** Which actions make sense for the account as it is; the others are offered always. */
function isOffered(kind: string, rows: CustomerRows): boolean {
  const isSuspended = rows.users[0]?.user.suspendedAt != null
  const isCorrected = rows.corrections.length > 0
  const offered: Record<string, boolean> = {
    end_sessions: rows.sessions.length > 0,
    suspend: !isSuspended,
    lift_suspension: isSuspended,
    correct_address: !isCorrected,
    undo_correction: isCorrected,
  }
  return offered[kind] ?? true
}

function buttons(rows: CustomerRows) {
  const user = rows.users[0]?.user
  if (user === undefined || user.deletedAt !== null) return null
  return (
    <p class="row no-print">
      {ACCOUNT_ACTIONS.filter(({ kind }) => isOffered(kind, rows)).map(({ kind, label }) => (
        <ActionLink kind={kind} label={label} target={{ user: user.id }} />
      ))}
    </p>
  )
}

const Purchase = ({
  userId,
  purchase,
  isAlone,
}: {
  userId: string
  purchase: PurchaseView
  isAlone: boolean
}) => {
  const { id, title, status, toDo, facts, payments, mayRefund, hasDispute } = purchase
  const target = { user: userId, purchase: id }
  return (
    <section class="card stack" id={id} aria-label={title}>
      <p class="row">
        <strong>{title}</strong>{' '}
        <Badge tone={status === 'paid' ? 'green' : /^(review|disputed)$/.test(status) ? 'red' : ''}>
          {status}
        </Badge>
        {mayRefund ? (
          <ActionLink kind="refund" label="Refund by the formula" target={target} of={title} />
        ) : null}
        <ActionLink kind="ask_provider" label="Ask Razorpay now" target={target} of={title} />
        {hasDispute && !isAlone ? (
          <a class="button button-small no-print" href={`${pageOf(userId)}?purchase=${id}`}>
            Evidence
          </a>
        ) : null}
      </p>
      {toDo === null ? null : <p class="notice notice-red">{toDo}</p>}
      <Facts
        facts={[
          ...facts,
          [
            'Payments',
            payments.length === 0
              ? null
              : payments.map((payment) => (
                  <span>
                    <RazorpayLink id={payment.id} /> {stateOf(payment)},{' '}
                    {formatMoney(payment.amountMinor, payment.currency)}
                    {payment.method === null ? '' : `, ${payment.method}`}{' '}
                  </span>
                )),
          ],
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

const Timeline = ({ userId, entries }: { userId: string; entries: readonly Entry[] }) => (
  <Table name="Timeline" head={['When', 'About', 'What']}>
    {entries.map(({ at, about, text, cause, isTrouble, mailId }) => (
      <tr class={isTrouble === true ? 'trouble' : undefined}>
        <td>
          <When at={at} />
        </td>
        <td>{about}</td>
        <td>
          {text}
          {cause == null ? null : <span class="muted"> by {cause}</span>}{' '}
          {mailId === undefined ? null : (
            <ActionLink
              kind="resend_mail"
              label="Send again"
              target={{ user: userId, mail: mailId }}
              of={text}
            />
          )}
        </td>
      </tr>
    ))}
  </Table>
)
