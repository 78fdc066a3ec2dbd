import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { createMember, type Member } from '../../../tests/harness/member.ts'
import { type CallOptions, newVisitor } from '../../../tests/harness/visitor.ts'
import type { Stack } from './stack.ts'

const PATIENCE_MS = 60_000

/** A member whose every use of tokens is counted: one token each. */
interface Writer {
  member: Member
  /** Tokens used before this case. */
  before: number
  acknowledged: number
  sent: number
}

/** What a load did: how many calls were answered how, and what the database has of it. */
export interface Outcome {
  acknowledged: number
  /** Refused with an error, or without an answer. */
  failed: number
  reads: number
  /** Acknowledged and not in the database. */
  lost: number
  /** In the database more often than sent. */
  doubled: number
  /** The longest time one call took, in milliseconds. */
  longestMs: number
}

const Balance = z.object({ tokens: z.object({ used: z.number() }) })

export interface Load {
  /** Reads and writes without a pause until `during` is over, then compares with the database. */
  runDuring: (during: () => Promise<unknown>) => Promise<Outcome>
}

/** Makes accounts with tokens for `writers` and accounts for `readers`; each has one connection of its own. */
export async function prepareLoad(
  { url: siteUrl, databaseUrl }: Stack,
  { readers, writers }: { readers: number; writers: number },
): Promise<Load> {
  const place = { siteUrl, databaseUrl, hasPlan: true }
  const writing: Writer[] = []
  for (let each = 0; each < writers; each += 1) {
    writing.push({ member: await createMember(place), before: 0, acknowledged: 0, sent: 0 })
  }
  const reading: Member[] = []
  for (let each = 0; each < readers; each += 1) reading.push(await createMember(place))

  return {
    runDuring: async (during) => {
      const outcome = { acknowledged: 0, failed: 0, reads: 0, lost: 0, doubled: 0, longestMs: 0 }
      for (const writer of writing) {
        Object.assign(writer, { before: await usedBy(writer.member), acknowledged: 0, sent: 0 })
      }
      let isOver = false
      const goOn = async (call: () => Promise<boolean>) => {
        while (!isOver) {
          const startedAt = performance.now()
          const isDone = await call()
          outcome.longestMs = Math.max(outcome.longestMs, performance.now() - startedAt)
          // A client waits before it repeats a call that failed.
          if (!isDone) await pause(200)
        }
      }
      const loops = [
        ...writing.map((writer) => goOn(() => write(writer, outcome))),
        ...reading.map((reader) => goOn(() => read(reader, outcome))),
      ]
      await during()
      isOver = true
      await Promise.all(loops)
      for (const { member, before, acknowledged, sent } of writing) {
        const stored = (await usedBy(member)) - before
        outcome.lost += Math.max(0, acknowledged - stored)
        outcome.doubled += Math.max(0, stored - sent)
      }
      return outcome
    },
  }
}

async function write(writer: Writer, outcome: Outcome): Promise<boolean> {
  writer.sent += 1
  const status = await statusOf(writer.member, '/api/subscription/use-tokens', {
    json: { amount: 1 },
    headers: { 'idempotency-key': randomUUID() },
  })
  const isDone = status === 200
  if (isDone) writer.acknowledged += 1
  outcome[isDone ? 'acknowledged' : 'failed'] += 1
  return isDone
}

async function read(reader: Member, outcome: Outcome): Promise<boolean> {
  const isDone = (await statusOf(reader, '/api/auth/me')) === 200
  outcome[isDone ? 'reads' : 'failed'] += 1
  return isDone
}

async function statusOf(
  visitor: Pick<Member, 'call'>,
  path: string,
  options: CallOptions = {},
): Promise<number> {
  return (await answerOf(visitor, path, options)).status
}

/** An answer; status 0 when the connection broke. */
async function answerOf(
  { call }: Pick<Member, 'call'>,
  path: string,
  options: CallOptions,
): Promise<{ status: number; body: unknown }> {
  try {
    return await call(path, options)
  } catch {
    return { status: 0, body: null }
  }
}

/** Asks until the site answers again. */
async function usedBy({ call }: Member): Promise<number> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      const { status, body } = await call('/api/subscription/current')
      if (status === 200) return Balance.parse(body).tokens.used
    } catch (error) {
      if (performance.now() > end) throw error
    }
    if (performance.now() > end) throw new Error('The site did not answer for a minute')
    await pause(250)
  }
}

const SignedIn = z.object({ token: z.string() })

/** Signs in `count` members at once. What is acknowledged is a session, lost is one that does not work. */
export async function signInAtOnce(
  { url: siteUrl, databaseUrl }: Stack,
  count: number,
): Promise<Outcome> {
  const members: Member[] = []
  for (let each = 0; each < count; each += 1) {
    members.push(await createMember({ siteUrl, databaseUrl }))
  }
  const outcome = { acknowledged: 0, failed: 0, reads: 0, lost: 0, doubled: 0, longestMs: 0 }
  await Promise.all(
    members.map(async ({ email, password }) => {
      const startedAt = performance.now()
      const visitor = newVisitor(siteUrl)
      const { status, body } = await answerOf(visitor, '/api/auth/login', {
        json: { email, password },
      })
      outcome.longestMs = Math.max(outcome.longestMs, performance.now() - startedAt)
      outcome[status === 200 ? 'acknowledged' : 'failed'] += 1
      if (status !== 200) return
      const { token: bearer } = SignedIn.parse(body)
      if (!(await opens(visitor, bearer))) outcome.lost += 1
    }),
  )
  return outcome
}

/** Whether a session that was just opened works, asked until the site has time to say so. */
async function opens(visitor: Pick<Member, 'call'>, bearer: string): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS
  let status = 0
  while (status !== 200 && status !== 401 && performance.now() < end) {
    status = await statusOf(visitor, '/api/auth/me', { bearer })
    if (status >= 500 || status === 0) await pause(250)
  }
  return status === 200
}
