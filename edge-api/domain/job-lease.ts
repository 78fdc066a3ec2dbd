import { and, eq, sql } from 'drizzle-orm'
import { jobLeases } from '../db/schema/records.ts'
import type { Context } from './context.ts'

/**
 * Runs a job unless it is running already. The lease expires, so that a runner that died blocks the others for at
 * most `leaseMs`.
 */
export async function withLease(
  ctx: Context,
  { name, leaseMs }: { name: string; leaseMs: number },
  job: () => Promise<void>,
): Promise<void> {
  const holder = ctx.newId('run')
  const { taken } = await ctx.db.batch({
    taken: takeLease(ctx, { name, holder, until: ctx.now + leaseMs }),
  })
  if (taken.length === 0) return
  try {
    await job()
  } finally {
    await ctx.db.batch([releaseLease(ctx, name, holder)])
  }
}

function takeLease(
  { db, now }: Context,
  { name, holder, until }: { name: string; holder: string; until: number },
) {
  return db
    .insert(jobLeases)
    .values({ name, holder, leasedUntil: until })
    .onConflictDoUpdate({
      target: jobLeases.name,
      set: { holder, leasedUntil: until },
      setWhere: sql`${jobLeases.leasedUntil} <= ${now}`,
    })
    .returning()
}

function releaseLease({ db, now }: Context, name: string, holder: string) {
  return db
    .update(jobLeases)
    .set({ leasedUntil: 0, lastFinishedAt: now })
    .where(and(eq(jobLeases.name, name), eq(jobLeases.holder, holder)))
}
