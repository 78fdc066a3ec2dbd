import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { Id, text } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import type { Statements } from '../../db/database.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { adminLog } from '../../db/schema/admin.ts'
import { users } from '../../db/schema/users.ts'
import { recordEventFrom } from '../../domain/account/record-event.ts'
import { canonicalAddress } from '../../domain/account/address.ts'
import type { Context } from '../../domain/context.ts'
import { inFigures } from '../../domain/format-money.ts'
import { deliverDueMail } from '../../domain/mail/deliver-mail.ts'
import { enqueueMailFrom, type NewMailFrom } from '../../domain/mail/outbox.ts'
import type { MailKind } from '../../domain/mail/render.ts'
import { ApiError, requireRow } from '../../domain/api-error.ts'

/** A request's context, and who acts: the address that Cloudflare Access vouches for. */
export interface AdminContext extends Context {
  readonly admin: string
}

/** A field that the admin fills in before the preview. */
export interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'datetime-local'
  hint?: string
  isOptional?: boolean
}

/** What an action would do. Nothing has changed before `execute`. */
export interface Plan {
  /** A sentence for each change. Preview and log show them. */
  changes: readonly string[]
  /** How the customer is notified, a sentence. */
  notification: string
  /** The account that it is about; of an action on an account that one. */
  userId?: string | null
  /** The purchase, mail, alert, flag or submission that it is about. */
  subject?: string
  /** The page to return to when the browser does not say where one was. */
  home?: string
  /** Whether the page where one was is gone afterwards. */
  isGone?: boolean
  /** The file that the admin gets, once it is logged. */
  file?: () => Promise<ReadableStream<Uint8Array>>
  /** Makes the changes and writes the entry of the log, in one batch. */
  execute: (entry: Entry) => Promise<unknown>
}

interface Definition<Input extends z.ZodObject> {
  /** Its name in addresses and in the log. */
  kind: string
  /** The text of its button. */
  label: string
  /** The target, which the address names, and the values of `fields`. */
  input: Input
  fields?: readonly Field[]
  /** For what cannot be taken back. */
  isDangerous?: boolean
  /** Reads what is there and says what would change. Rejects what is not possible. */
  plan: (ctx: AdminContext, input: z.output<Input>) => Promise<Plan>
}

/** An action of any input. */
export interface Action extends Pick<Definition<z.ZodObject>, 'kind' | 'label' | 'isDangerous'> {
  fields: readonly Field[]
  check: (raw: unknown) => z.ZodSafeParseResult<unknown>
  /** As in the definition. Throws a ZodError for input that `check` rejects. */
  plan: (ctx: AdminContext, raw: unknown) => Promise<Plan>
}

/** Defines an action: one value from which the form, the preview, the execution and the log follow. */
export function defineAction<Input extends z.ZodObject>(definition: Definition<Input>): Action {
  const { input, fields = [], plan, ...named } = definition
  const check: Action['check'] = (raw) => input.safeParse(raw)
  return { ...named, fields, check, plan: async (ctx, raw) => plan(ctx, input.parse(raw)) }
}

export type Target = typeof users.$inferSelect

interface AccountDefinition<Input extends z.ZodObject> extends Omit<Definition<Input>, 'plan'> {
  plan: (ctx: AdminContext, target: Target, input: z.output<Input>) => Promise<Plan>
}

const Named = z.object({ user: Id })

/** As `defineAction`, for an action on the account that `user` names: it is there, and not the admin's own. */
export function defineAccountAction<Input extends z.ZodObject>(
  definition: AccountDefinition<Input>,
): Action {
  const { input, fields = [], plan, ...named } = definition
  return {
    ...{ ...named, fields },
    check: (raw) => input.extend(Named.shape).safeParse(raw),
    plan: async (ctx, raw) => {
      const target = await readTarget(ctx, Named.parse(raw).user)
      const planned = await plan(ctx, target, input.parse(raw))
      return { userId: target.id, home: pageOf(target.id), ...planned }
    },
  }
}

/** NOT_FOUND for no account and a deleted one, NOTHING_TO_CHANGE for the admin's own. */
async function readTarget({ db, admin }: AdminContext, userId: string): Promise<Target> {
  const isThis = and(eq(users.id, userId), isNull(users.deletedAt))
  const [targets] = await db.batch([db.select().from(users).where(isThis)])
  const target = requireRow(targets, 'NOT_FOUND', 'There is no such account, or it was deleted.')
  if (canonicalAddress(admin) === canonicalAddress(target.email)) {
    throw reject('This is your own account. Another admin can act on it.')
  }
  return target
}

export const REASON_REQUIRED = 'Say why. The reason stays in the log permanently.'
export const Reason = text({ max: 300, required: REASON_REQUIRED })

export const CHANGED =
  'Something changed since this was shown, so nothing was done. Look at what would change now.'

interface Sent {
  /** The token of the form. */
  id: string
  reason: string
  /** The sentences that the preview showed; left out by whoever saw none. */
  shown?: readonly string[]
}

/** The sentences of a plan, as preview and log show them. */
export const sentencesOf = ({ changes, notification }: Plan) => [...changes, notification]

/**
 * Does what a preview showed, once for each token, and logs it in the same batch. Returns null when it was done with this token
 * before. NOTHING_TO_CHANGE when something changed since the preview.
 */
export async function executeAction(
  given: AdminContext,
  action: Action,
  { raw, sent: { id, reason, shown } }: { raw: unknown; sent: Sent },
): Promise<Plan | null> {
  // The account's history shows our support, without the admin's device and network.
  const ctx = { ...given, visitor: { ipAddress: '', ipPrefix: '', device: 'Our support' } }
  try {
    const plan = await action.plan(ctx, raw)
    const changes = JSON.stringify(sentencesOf(plan))
    if (shown !== undefined && JSON.stringify(shown) !== changes) throw reject(CHANGED)
    const { userId, subject } = plan
    const row = { id, admin: ctx.admin, kind: action.kind, userId, subject, reason, changes }
    await plan.execute(newEntry(ctx, row))
    ctx.waitUntil(() => deliverDueMail(ctx))
    return plan
  } catch (error) {
    if (await wasDone(ctx, id)) return null
    throw error
  }
}

async function wasDone({ db }: Context, id: string): Promise<boolean> {
  const [rows] = await db.batch([
    db.select({ id: adminLog.id }).from(adminLog).where(eq(adminLog.id, id)),
  ])
  return rows.length > 0
}

/** An entry of the log, which is permanent. */
type Entry = ReturnType<typeof newEntry>

function newEntry({ db, now }: Context, row: Omit<typeof adminLog.$inferInsert, 'createdAt'>) {
  const { id } = row
  const isWritten = sql`EXISTS (SELECT 1 FROM ${adminLog} WHERE ${adminLog.id} = ${id})`
  return {
    id,
    /**
     * The statement that writes the entry, under a condition. It returns a row if it wrote one, and fails the batch when there is
     * one: the others of the batch would take that for theirs.
     */
    write: (when = sql`true`) =>
      db.all<{ id: string }>(
        sql`${insertFrom(adminLog, { ...row, createdAt: now }, sql`WHERE (${when}) OR ${isWritten}`)} RETURNING id`,
      ),
    /** In SQL, whether the entry was written. The other statements of the batch ask it. */
    isWritten,
  }
}

/**
 * Executes in one batch: the entry is written under a condition, and the statements that follow ask `isWritten`.
 * NOTHING_TO_CHANGE when the condition no longer holds.
 */
export function inOneBatch(
  { db }: Context,
  condition: SQL,
  follow: (isWritten: SQL, entryId: string) => Statements,
): Plan['execute'] {
  return async ({ id, write, isWritten }) => {
    const { written } = await db.batch({ written: write(condition), ...follow(isWritten, id) })
    if (written.length === 0) throw reject(CHANGED)
  }
}

/** An action that would change nothing or is not allowed. */
export function reject(reason: string): ApiError {
  return new ApiError('NOTHING_TO_CHANGE', reason)
}

/** In SQL, whether the account is there, and as the admin saw it: a second click finds it otherwise. */
export function isThere(userId: string, asSeen: SQL): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${users} u WHERE u.id = ${userId} AND u.deleted_at IS NULL AND ${asSeen})`
}

/** Notifies the customer, in the bell and the history, of what our support did. */
export function notify(ctx: Context, userId: string, { text, when }: { text: string; when: SQL }) {
  return recordEventFrom(ctx, { userId, kind: 'by_support', detail: { text } }, sql`WHERE ${when}`)
}

/** Mails the customer what our support did. */
export function mailTo<Kind extends MailKind>(ctx: Context, when: SQL, mail: NewMailFrom<Kind>) {
  return enqueueMailFrom(ctx, mail, sql`WHERE ${when}`)
}

/** `1 token`, `2,000 tokens`. */
export function counted(count: number, what: string): string {
  return `${inFigures(count)} ${what}${count === 1 ? '' : 's'}`
}

/** The customer's page. */
export const pageOf = (userId: string) => `/admin/customers/${userId}`

export const NO_NOTIFICATION = 'The customer is not notified.'
