/** @jsxImportSource hono/jsx */
import { formatMoney } from '../domain/format-money.ts'
import type { Row } from '../domain/report/row.ts'
import { days } from '../domain/time.ts'
import { counted, pageOf } from './actions/action.ts'
import { LIST } from './actions/submission.ts'
import { ActionLink, Badge, RazorpayLink, When } from './page.tsx'

interface Listed {
  name: string
  rows: readonly Row[]
  now: number
  /** The account whose page it is: no row names it again. */
  of?: string
}

/** Rows of any kind, each with links to what it is about and the actions that its kind has. */
export const List = ({ name, rows, now, of }: Listed) =>
  rows.length === 0 ? (
    <p class="muted">None.</p>
  ) : (
    <div class="table-scroll" role="region" aria-label={name} tabindex={0}>
      <table class="table">
        <thead>
          <tr>
            {['When', 'What', of === undefined ? 'Whose' : 'By', 'State'].map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr class={row.isTrouble ? 'trouble' : undefined}>
              <td>
                <When at={row.at} />
              </td>
              <td>
                {row.what} <Name row={row} />
              </td>
              <td>{row.userId === null ? row.who : <a href={pageOf(row.userId)}>{row.who}</a>}</td>
              <td>
                {stateOf(row)} <Deadline until={row.until} now={now} />{' '}
                <Buttons row={row} userId={of ?? row.userId} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )

/** The page of a row: of a submission, of a dispute's evidence, or of its customer; null without one. */
export function placeOf({ what, name, userId }: Row): string | null {
  if (what === 'ticket' || what === 'application') return `${LIST}/${name}`
  if (what.endsWith('dispute')) return `/admin/disputes/${name}`
  return userId === null ? null : pageOf(userId)
}

const Name = ({ row }: { row: Row }) => {
  const { name, what } = row
  if (name.startsWith('pay_')) return <RazorpayLink id={name} />
  // A mail is told by its kind and address.
  if (what.includes('mail')) return <></>
  return /^(?:[TA]-|disp_)/.test(name) ? <a href={placeOf(row) ?? ''}>{name}</a> : <>{name}</>
}

function stateOf({ tag, text, amountMinor, currency }: Row): string {
  const money = amountMinor === null || currency === null ? '' : formatMoney(amountMinor, currency)
  return [tag.replaceAll('_', ' '), money, text].filter(Boolean).join(' · ')
}

const Deadline = ({ until, now }: { until: number | null; now: number }) => {
  if (until === null) return <></>
  const left = Math.ceil((until - now) / days(1))
  return <Badge tone="red">{left <= 0 ? 'deadline passed' : `${counted(left, 'day')} left`}</Badge>
}

const Buttons = ({ row, userId }: { row: Row; userId: string | null }) => {
  const { what, name, purchaseId } = row
  if (userId === null) return <></>
  if (what.includes('mail')) {
    const target = { user: userId, mail: name }
    return (
      <ActionLink
        kind="resend_mail"
        label="Send again"
        target={target}
        of={row.text.split(':', 1)[0]}
      />
    )
  }
  if (purchaseId === null) return <></>
  if (what === 'unsettled purchase') {
    const target = { user: userId, purchase: purchaseId }
    return <ActionLink kind="ask_provider" label="Ask Razorpay now" target={target} of={name} />
  }
  if (what !== 'open dispute') return <></>
  return (
    <a class="button button-small no-print" href={`${pageOf(userId)}?purchase=${purchaseId}`}>
      Evidence
    </a>
  )
}
