/** @jsxImportSource hono/jsx */
import { eq } from 'drizzle-orm'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ERROR_STATUS } from '../../src/contract/errors.ts'
import { z } from '../../src/contract/zod.ts'
import { users } from '../db/schema/users.ts'
import { Refusal } from '../domain/refusal.ts'
import {
  type Action,
  executeAction,
  pageOf,
  type Plan,
  Reason,
  sentencesOf,
} from './actions/action.ts'
import { actionOf } from './actions/actions.ts'
import { type Call, contextOf, show, showProblem } from './page.tsx'

type Raw = Record<string, string>

/** Everything that the page of an action shows. */
interface Shown {
  action: Action
  /** The target and the values of the fields, as sent. */
  raw: Raw
  /** The page where one was; '' when it is not known. */
  back: string
  reason?: string
  /** Why it was not done. */
  problem?: string
  status?: ContentfulStatusCode
}

/** `GET /admin/actions/KIND`: asks for the action's fields, and shows what it would change and what the customer is told. */
export async function showAction(c: Call): Promise<Response> {
  const action = actionOf(c.req.param('kind') ?? '')
  if (action === undefined) return showProblem(c, 'There is no such action.', 404)
  const { back, ...raw } = c.req.query()
  return showForm(c, { action, raw, back: back === undefined ? cameFrom(c) : placeOf(back) })
}

async function showForm(
  c: Call,
  { action, raw, back, reason = '', problem, status = 200 }: Shown,
): Promise<Response> {
  const ctx = contextOf(c)
  const { fields } = action
  const checked = action.check(raw)
  const isAsked = fields.some(({ name }) => name in raw)
  const faults = new Map(
    checked.error?.issues.map(({ path, message }) => [String(path[0]), message]),
  )
  // Only the address could name another target.
  if ([...faults.keys()].some((name) => !fields.some((field) => field.name === name))) {
    return showProblem(c, 'This address names nothing to act on.', 404)
  }
  let plan: Plan | undefined
  let says = problem
  let answer = status
  if (checked.success) {
    try {
      plan = await action.plan(ctx, raw)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'NOT_FOUND') throw error
      says = error.message
      answer = ERROR_STATUS[error.code]
    }
  } else if (isAsked) answer = 400
  const about = await emailOf(c, raw['user'])
  const others = Object.entries({ ...raw, back }).filter(
    ([name]) => !fields.some((field) => field.name === name),
  )
  const frame = { title: action.label, status: answer }
  return show(
    c,
    frame,
    <>
      {about === undefined || raw['user'] === undefined ? null : (
        <p>
          Account: <a href={pageOf(raw['user'])}>{about}</a>
        </p>
      )}
      {says === undefined ? null : (
        <p class="notice notice-red" role="alert">
          {says}
        </p>
      )}
      {fields.length === 0 ? null : (
        <form class="stack">
          {others.map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          {fields.map(({ name, label, type = 'text', hint, isOptional = false }) => {
            const fault = isAsked ? faults.get(name) : undefined
            return (
              <p class="field">
                <label for={name}>
                  {label}
                  {isOptional ? ' (optional)' : ''}
                </label>
                <input
                  class="input"
                  id={name}
                  name={name}
                  type={type}
                  value={raw[name]}
                  required={!isOptional}
                  autocomplete="off"
                  aria-invalid={fault === undefined ? undefined : 'true'}
                  aria-describedby={`${name}-hint`}
                />
                <span class="small muted" id={`${name}-hint`}>
                  {fault ?? hint}
                </span>
              </p>
            )
          })}
          <button class={`button ${plan === undefined ? 'button-primary' : ''}`}>Preview</button>
        </form>
      )}
      {plan === undefined ? null : (
        <form class="stack" method="post" action={`/admin/actions/${action.kind}`}>
          <h2>What changes</h2>
          <ul class="changes">
            {plan.changes.map((change) => (
              <li>{change}</li>
            ))}
          </ul>
          <h2>What the customer is told</h2>
          <p>{plan.told}</p>
          {Object.entries({
            ...raw,
            back,
            id: ctx.newId('act'),
            shown: JSON.stringify(sentencesOf(plan)),
          }).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <p class="field">
            <label for="reason">Reason</label>
            <input
              class="input"
              id="reason"
              name="reason"
              value={reason}
              required
              maxlength={300}
              autocomplete="off"
              aria-describedby="reason-hint"
            />
            <span class="small muted" id="reason-hint">
              It stays in the log permanently, so put no address and nothing private into it.
            </span>
          </p>
          <p class="row">
            <button
              class={`button ${action.isDangerous === true ? 'button-danger' : 'button-primary'}`}
            >
              {action.label}
            </button>
            <a class="button button-muted" href={back || (plan.home ?? HOME)}>
              Cancel
            </a>
          </p>
        </form>
      )}
    </>,
  )
}

async function emailOf(c: Call, userId: string | undefined): Promise<string | undefined> {
  if (userId === undefined) return undefined
  const { db } = c.env.ctx
  const [rows] = await db.batch([
    db.select({ email: users.email }).from(users).where(eq(users.id, userId)),
  ])
  return rows[0]?.email
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
    if (done?.file !== undefined) return sendFile(c, await done.file(), done.userId ?? '')
    const isUnknown = back === '' || done?.isGone === true
    return c.redirect(withDone(isUnknown ? (done?.home ?? HOME) : back), 303)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'NOT_FOUND') throw error
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

function sendFile(c: Call, file: ReadableStream<Uint8Array>, userId: string): Response {
  return c.body(file, 200, {
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="export-${userId}.json"`,
  })
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
