/** @jsxImportSource hono/jsx */
import { eq } from 'drizzle-orm'
import type { PropsWithChildren } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ERROR_STATUS } from '../../src/contract/errors.ts'
import { z } from '../../src/contract/zod.ts'
import { users } from '../db/schema/users.ts'
import { ApiError } from '../domain/api-error.ts'
import {
  type Action,
  executeAction,
  type Field,
  pageOf,
  type Plan,
  Reason,
  sentencesOf,
} from './actions/action.ts'
import { actionOf } from './actions/actions.ts'
import { type Call, contextOf, FormField, Hidden, show, showProblem } from './page.tsx'

/** Everything that the page of an action shows. */
interface Shown {
  action: Action
  /** The target and the values of the fields, as sent. */
  raw: Record<string, string>
  /** The page where one was; '' when it is not known. */
  back: string
  reason?: string
  /** Why it was not done. */
  problem?: string
  status?: ContentfulStatusCode
}

interface Answer {
  status: ContentfulStatusCode
  plan?: Plan
  says?: string
}

/** `GET /admin/actions/KIND`: asks for the action's fields, and shows what it would change and how the customer is notified. */
export async function showAction(c: Call): Promise<Response> {
  const action = actionOf(c.req.param('kind') ?? '')
  if (action === undefined) return showProblem(c, 'There is no such action.', 404)
  const { back, ...raw } = c.req.query()
  return showForm(c, { action, raw, back: back === undefined ? cameFrom(c) : placeOf(back) })
}

async function showForm(c: Call, shown: Shown): Promise<Response> {
  const { action, raw, back, reason = '', problem, status = 200 } = shown
  const { fields } = action
  const checked = action.check(raw)
  const isAsked = fields.some(({ name }) => name in raw)
  const faults = new Map(
    checked.error?.issues.map(({ path, message }) => [String(path[0]), message]),
  )
  const isField = (name: string) => fields.some((field) => field.name === name)
  // Only the address could name another target.
  if (![...faults.keys()].every(isField))
    return showProblem(c, 'This address names nothing to act on.', 404)
  const answer: Answer = checked.success
    ? await planOf(c, shown)
    : { status: isAsked ? 400 : status }
  const says = answer.says ?? problem
  const user = raw['user'] ?? ''
  const about = await emailOf(c, user)
  const target = Object.entries({ ...raw, back }).filter(([name]) => !isField(name))
  return show(
    c,
    { title: action.label, status: answer.status },
    <>
      {about === undefined ? null : (
        <p>
          Account: <a href={pageOf(user)}>{about}</a>
        </p>
      )}
      {says === undefined ? null : (
        <p class="notice notice-error" role="alert">
          {says}
        </p>
      )}
      {fields.length === 0 ? null : (
        <form class="stack">
          <Hidden values={Object.fromEntries(target)} />
          {fields.map((field) => (
            <FormField
              field={field}
              value={raw[field.name]}
              fault={isAsked ? faults.get(field.name) : undefined}
            />
          ))}
          <button class={`button ${answer.plan === undefined ? 'button-primary' : ''}`}>
            Preview
          </button>
        </form>
      )}
      {answer.plan === undefined ? null : (
        <Preview action={action} plan={answer.plan} reason={reason} back={back}>
          <Hidden values={{ ...raw, back, id: c.env.ctx.newId('act') }} />
        </Preview>
      )}
    </>,
  )
}

/** What an action would do, or why it cannot be done. */
async function planOf(c: Call, { action, raw, status = 200 }: Shown): Promise<Answer> {
  try {
    return { plan: await action.plan(contextOf(c), raw), status }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'NOT_FOUND') throw error
    return { says: error.message, status: ERROR_STATUS[error.code] }
  }
}

const REASON: Field = {
  name: 'reason',
  label: 'Reason',
  hint: 'It stays in the log permanently, so put no address and nothing private into it.',
}

const Preview = ({
  action: { kind, label, isDangerous },
  plan,
  reason,
  back,
  children,
}: PropsWithChildren<Pick<Shown, 'action' | 'reason' | 'back'> & { plan: Plan }>) => (
  <form class="stack" method="post" action={`/admin/actions/${kind}`}>
    <h2>What changes</h2>
    {plan.changes.map((change) => (
      <p>{change}</p>
    ))}
    <h2>What the customer is told</h2>
    <p>{plan.notification}</p>
    {children}
    <Hidden values={{ shown: JSON.stringify(sentencesOf(plan)) }} />
    <FormField field={REASON} value={reason} />
    <p class="row">
      <button class={`button ${isDangerous === true ? 'button-danger' : 'button-primary'}`}>
        {label}
      </button>
      <a class="button button-muted" href={back || (plan.home ?? HOME)}>
        Cancel
      </a>
    </p>
  </form>
)

async function emailOf({ env }: Call, userId: string): Promise<string | undefined> {
  const { db } = env.ctx
  const isThis = eq(users.id, userId)
  const [[user]] = await db.batch([db.select({ email: users.email }).from(users).where(isThis)])
  return user?.email
}

const Sent = z
  .object({
    id: z.string().regex(/^act_[0-9a-z]{26}$/),
    shown: z.string().max(20_000).transform(jsonIn).pipe(z.array(z.string())),
    reason: z.string(),
    back: z.string().transform(placeOf),
  })
  .catchall(z.string())

/** `POST /admin/actions/KIND`: does what the page showed, and leads back to where one was. */
export async function postAction(c: Call): Promise<Response> {
  const action = actionOf(c.req.param('kind') ?? '')
  if (action === undefined) return showProblem(c, 'There is no such action.', 404)
  const { data: sent } = Sent.safeParse(await c.req.parseBody())
  if (sent === undefined) {
    return showProblem(c, 'The form was incomplete, so nothing was done. Open its page again.', 400)
  }
  const { id, shown, reason, back, ...raw } = sent
  const form = { action, raw, back, reason }
  const why = Reason.safeParse(reason)
  if (!why.success)
    return showForm(c, { ...form, problem: why.error.issues[0]?.message ?? '', status: 400 })
  try {
    const input = { raw, sent: { id, reason: why.data, shown } }
    const done = await executeAction(contextOf(c), action, input)
    if (done?.file !== undefined) {
      return c.body(await done.file(), 200, {
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="export-${done.userId}.json"`,
      })
    }
    const isUnknown = back === '' || done?.isGone === true
    return c.redirect(withDone(isUnknown ? (done?.home ?? HOME) : back), 303)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'NOT_FOUND') throw error
    return showForm(c, { ...form, problem: error.message, status: ERROR_STATUS[error.code] })
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const HOME = '/admin'

/** The admin page from which a link led here. */
function cameFrom(c: Call): string {
  const from = URL.parse(c.req.header('Referer') ?? '')
  if (from === null || from.host !== new URL(c.req.url).host) return ''
  from.searchParams.delete('done')
  return placeOf(from.pathname + from.search)
}

/** A path of the admin pages, but not of an action; '' for anything else. */
function placeOf(path: string): string {
  return /^\/admin(?:\/(?!actions\/)[\w/-]*)?(?:\?[^#\s]*)?$/.test(path) ? path : ''
}

function withDone(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://here')
  searchParams.set('done', '1')
  return `${pathname}?${searchParams}`
}
