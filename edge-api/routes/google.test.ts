import { expect, test } from 'vitest'
import { googleFinishEndpoint, googleStartEndpoint } from '../../src/contract/google.ts'
import { createAccount } from '../../tests/harness/world/account.ts'
import { createWorld, withEachBatch } from '../../tests/harness/world/world.ts'
import { createApp } from '../app.ts'
import { DatabaseBusy } from '../db/database-error.ts'
import type { Context } from '../domain/context.ts'
import { insertPass, newPass } from '../domain/session/sign-in-pass.ts'

const allow = () => Promise.resolve(true)

test('behind https the cookie is Secure and belongs to this host alone', async () => {
  const identity = {
    authorizationUrl: () => 'https://accounts.example/',
    identify: () => Promise.reject(new Error('nobody came back')),
  }
  const ctx = { ...createWorld({ identity }).ctx(), origin: 'https://sotto.example' }
  const answer = await createApp().request(googleStartEndpoint.path, {}, { ctx, allow })
  expect(answer.headers.getSetCookie().join()).toMatch(
    /^__Host-google_transaction=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('the browser keeps its pass while the database is busy, and loses it with a final answer', async () => {
  const ctx = createWorld().ctx()
  const subject = ctx.newId('usr')
  await createAccount(ctx, { googleSubject: subject })
  const { code, secret, hash } = await newPass(ctx)
  await ctx.db.batch([insertPass(ctx, { hash, subject })])
  const finish = async (services: Context) => {
    const headers = { 'content-type': 'application/json', cookie: `google_pass=${secret}` }
    const init = { method: 'POST', body: JSON.stringify({ code }), headers }
    const answer = await createApp().request(googleFinishEndpoint.path, init, {
      ctx: services,
      allow,
    })
    const cookies = answer.headers.getSetCookie()
    return [answer.status, cookies.filter((line) => line.startsWith('google_pass'))]
  }
  const busy = withEachBatch(ctx.db, () => {
    throw new DatabaseBusy('too much to do')
  })
  const deleted = ['google_pass=; Max-Age=0; Path=/']
  expect(await finish({ ...ctx, db: busy })).toEqual([503, []])
  expect(await finish(ctx)).toEqual([200, deleted])
  expect(await finish(ctx)).toEqual([400, deleted])
})
