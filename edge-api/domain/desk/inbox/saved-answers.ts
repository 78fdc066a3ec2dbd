import { asc, eq, sql } from 'drizzle-orm'
import {
  INBOX,
  SAVED_ANSWERS_MAX,
  type saveAnswerEndpoint,
  type savedAnswersEndpoint,
} from '../../../../src/contract/desk-inbox.ts'
import { insertFrom } from '../../../db/insert-from.ts'
import { deskActs } from '../../../db/schema/desk.ts'
import { savedAnswers } from '../../../db/schema/inbox.ts'
import { accountQuery } from '../../account/account-query.ts'
import { factorsQuery } from '../../account/has-factor.ts'
import { requireOperator } from '../../account/require-operator.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../refusal.ts'
import type { SessionVerb } from '../../verb.ts'

/** All saved answers by their titles. */
export function savedAnswersQuery({ db }: Context) {
  const { id, title, text } = savedAnswers
  return db
    .select({ id, title, text })
    .from(savedAnswers)
    .orderBy(asc(title))
    .limit(SAVED_ANSWERS_MAX)
}

/** The answers that operators use again. */
export const listSavedAnswers: SessionVerb<typeof savedAnswersEndpoint> = async (
  ctx,
  { claims },
) => {
  const { accounts, factors, answers } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
    answers: savedAnswersQuery(ctx),
  })
  requireOperator(ctx, accounts, factors)
  return { success: true, answers }
}

/**
 * Keeps a new answer, changes one, or deletes one when its text is empty. NOT_FOUND when there is none with this id,
 * NOTHING_TO_CHANGE when there are as many as the desk can show.
 */
export const saveAnswer: SessionVerb<typeof saveAnswerEndpoint> = async (ctx, { claims, body }) => {
  const { accounts, factors } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
  })
  const operator = requireOperator(ctx, accounts, factors)
  const id = body.id ?? ctx.newId('ans')
  const { title, text } = body
  const changed =
    body.id === null
      ? ctx.db.run(
          insertFrom(
            savedAnswers,
            { id, title, text, updatedAt: ctx.now },
            sql`WHERE ${text} <> '' AND (SELECT count(*) FROM ${savedAnswers}) < ${SAVED_ANSWERS_MAX}`,
          ),
        )
      : text === ''
        ? ctx.db.delete(savedAnswers).where(eq(savedAnswers.id, id))
        : ctx.db
            .update(savedAnswers)
            .set({ title, text, updatedAt: ctx.now })
            .where(eq(savedAnswers.id, id))
  const what = body.id === null ? 'kept' : text === '' ? 'deleted' : 'changed'
  const entry = {
    id: ctx.newId('act'),
    operatorId: operator.user.id,
    kind: 'saved_answer',
    subject: id,
    reason: title,
    changes: JSON.stringify([`The saved answer "${title}" is ${what}.`]),
    createdAt: ctx.now,
  }
  const { result, answers } = await ctx.db.batch({
    result: changed,
    // Only when the statement before it changed a row.
    entry: ctx.db.run(insertFrom(deskActs, entry, sql`WHERE changes() = 1`)),
    answers: savedAnswersQuery(ctx),
  })
  if (result.rowsAffected === 0) {
    if (body.id !== null) throw new Refusal('NOT_FOUND', INBOX.noAnswer)
    throw new Refusal('NOTHING_TO_CHANGE', text === '' ? INBOX.textRequired : INBOX.tooMany)
  }
  return { success: true, message: INBOX.done, answers }
}
