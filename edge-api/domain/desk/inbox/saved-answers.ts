import { asc, eq, sql } from 'drizzle-orm'
import {
  INBOX,
  SAVED_ANSWERS_MAX,
  type saveAnswerEndpoint,
  type savedAnswersEndpoint,
  type SubmissionKind,
} from '../../../../src/contract/desk-inbox.ts'
import { insertFrom, previousChangedOne } from '../../../db/insert-from.ts'
import { savedAnswers } from '../../../db/schema/inbox.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../refusal.ts'
import { newEntry } from '../planned-act.ts'
import type { OperatorHandler } from '../../handler.ts'

/** Saved answers by their titles: those for one kind of submission, or all. */
export function savedAnswersQuery({ db }: Context, kind?: SubmissionKind) {
  const { id, about, title, text } = savedAnswers
  return db
    .select({ id, about, title, text })
    .from(savedAnswers)
    .where(kind && eq(about, kind))
    .orderBy(asc(title))
    .limit(SAVED_ANSWERS_MAX)
}

/** The answers that operators use again. */
export const listSavedAnswers: OperatorHandler<typeof savedAnswersEndpoint> = async (ctx) => {
  const { answers } = await ctx.db.batch({
    answers: savedAnswersQuery(ctx),
  })
  return { success: true, answers }
}

/**
 * Keeps a new answer, changes one, or deletes one when its text is empty. NOT_FOUND when there is none with this id,
 * NOTHING_TO_CHANGE when there are as many as the desk can show.
 */
export const saveAnswer: OperatorHandler<typeof saveAnswerEndpoint> = async (
  ctx,
  { operator, body },
) => {
  const id = body.id ?? ctx.newId('ans')
  const { about, title, text } = body
  const changed =
    body.id === null
      ? ctx.db.run(
          insertFrom(
            savedAnswers,
            { id, about, title, text, updatedAt: ctx.now },
            sql`WHERE ${text} <> '' AND (SELECT count(*) FROM ${savedAnswers}) < ${SAVED_ANSWERS_MAX}`,
          ),
        )
      : text === ''
        ? ctx.db.delete(savedAnswers).where(eq(savedAnswers.id, id))
        : ctx.db
            .update(savedAnswers)
            .set({ about, title, text, updatedAt: ctx.now })
            .where(eq(savedAnswers.id, id))
  const what = body.id === null ? 'kept' : text === '' ? 'deleted' : 'changed'
  const entry = newEntry(ctx, operator.id, {
    kind: 'saved_answer',
    subject: id,
    reason: title,
    changes: [`The saved answer "${title}" is ${what}.`],
  })
  const { result, answers } = await ctx.db.batch({
    result: changed,
    entry: entry.write(previousChangedOne),
    answers: savedAnswersQuery(ctx),
  })
  if (result.rowsAffected === 0) {
    if (body.id !== null) throw new Refusal('NOT_FOUND', INBOX.noAnswer)
    throw new Refusal('NOTHING_TO_CHANGE', text === '' ? INBOX.textRequired : INBOX.tooMany)
  }
  return { success: true, message: INBOX.done, answers }
}
