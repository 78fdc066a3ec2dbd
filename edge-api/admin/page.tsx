/** @jsxImportSource hono/jsx */
import type { Context as HonoContext } from 'hono'
import { html } from 'hono/html'
import type { Child, PropsWithChildren } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Context } from '../domain/context.ts'
import { inMinutes, toIso } from '../domain/time.ts'
import type { AdminPages } from '../http/env.ts'
import type { AdminContext, Field } from './actions/action.ts'

/** The types of Hono's context on the admin pages. */
export interface AdminEnv {
  /** With the id under which the request is logged. */
  Bindings: { ctx: Context; pages: AdminPages; requestId: string }
  /** Set by require-admin.ts. */
  Variables: { admin: string }
}
export type Call = HonoContext<AdminEnv>

/** The request's context, with the admin who asks. */
export const contextOf = (c: Call): AdminContext => ({ ...c.env.ctx, admin: c.get('admin') })

const PLACES = [
  ['/admin', 'Today'],
  ['/admin/submissions', 'Submissions'],
  ['/admin/flags', 'Flags'],
  ['/admin/log', 'Log'],
] as const

interface Frame {
  title: string
  status?: ContentfulStatusCode
}

/** Answers with a page in the layout of all admin pages. */
export function show(c: Call, { title, status = 200 }: Frame, body: Child) {
  const { path } = c.req
  const { brand } = c.env.ctx
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{`${title} · ${brand.productName} admin`}</title>
        <link rel="stylesheet" href="/admin/style.css" />
      </head>
      <body>
        <a class="skip button" href="#main">
          Skip to the content
        </a>
        <header class="wrap row no-print">
          <nav class="row" aria-label="Admin">
            {PLACES.map(([href, name]) => (
              <a href={href} aria-current={path === href ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
          <form class="row find" action="/admin/find" role="search">
            <input
              {...{ class: 'input', type: 'search', name: 'q', required: true, minlength: 2 }}
              aria-label="Find"
              placeholder="Address, name, pay_…, R-12, T-7"
              value={path === '/admin/find' ? c.req.query('q') : undefined}
            />
            <button class="button button-small">Find</button>
          </form>
        </header>
        <main id="main" class="wrap stack">
          {c.req.query('done') === undefined ? null : (
            <p class="notice notice-success" role="status">
              Done and logged.
            </p>
          )}
          <h1>{title}</h1>
          {body}
        </main>
        <footer class="wrap muted small no-print">
          {c.get('admin')} · times are UTC unless a page says otherwise
        </footer>
      </body>
    </html>
  )
  return c.html(html`<!doctype html>${page}`, status)
}

/** An instant (milliseconds UTC), to the minute. */
export const When = ({ at }: { at: number }) => <time datetime={toIso(at)}>{inMinutes(at)}</time>

/** Names and values; a value that is null or empty is left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, Child])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) =>
      value === null || value === '' || value === undefined ? null : (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
)

/** A word or two about a state. */
export const Badge = ({
  tone = '',
  children,
}: PropsWithChildren<{ tone?: '' | 'red' | 'orange' | 'green' }>) => (
  <span class={`badge ${tone && `badge-${tone}`}`}>{children}</span>
)

/** The link to the page of an action. `of` tells it from others of its name, for those who hear it. */
export const ActionLink = ({
  kind,
  target,
  label,
  of,
  isDangerous,
}: {
  kind: string
  target: Record<string, string>
  label: string
  of?: string | undefined
  isDangerous?: boolean | undefined
}) => (
  <a
    class={`button button-small no-print ${isDangerous ? 'button-danger' : ''}`}
    href={`/admin/actions/${kind}?${new URLSearchParams(target)}`}
  >
    {label}
    {of === undefined ? null : <span class="visually-hidden"> {of}</span>}
  </a>
)

/** A payment at Razorpay, where any amount of it can be refunded. */
export const RazorpayLink = ({ id }: { id: string }) => (
  <a
    href={`https://dashboard.razorpay.com/app/payments/${encodeURIComponent(id)}`}
    rel="noreferrer"
  >
    {id}
  </a>
)

/** A field of a form, with its hint, or what is wrong with its value. */
export const FormField = ({
  field: { name, label, type = 'text', hint, isOptional = false },
  value,
  fault,
}: {
  field: Field
  value?: string | undefined
  fault?: string | undefined
}) => (
  <p class="field">
    <label class="field-label" for={name}>
      {label}
      {isOptional ? ' (optional)' : ''}
    </label>
    <input
      {...{ class: 'input', id: name, name, type, value, required: !isOptional }}
      autocomplete="off"
      aria-invalid={fault === undefined ? undefined : 'true'}
      aria-describedby={`${name}-hint`}
    />
    <span class={fault === undefined ? 'field-hint' : 'field-error'} id={`${name}-hint`}>
      {fault ?? hint}
    </span>
  </p>
)

/** What a form sends besides what one fills in. */
export const Hidden = ({ values }: { values: Record<string, string> }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)

/** A short answer to something that cannot be shown. */
export const showProblem = (c: Call, says: string, status: ContentfulStatusCode) =>
  show(c, { title: status === 404 ? 'Not found' : 'That did not work', status }, <p>{says}</p>)
