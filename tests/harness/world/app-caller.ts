import { createApp } from '../../../edge-api/app.ts'
import { type Claims, signBearer } from '../../../edge-api/domain/account/signed.ts'
import { days } from '../../../edge-api/domain/time.ts'
import { answerOf, initOf, type Visitor } from '../visitor.ts'
import { createAccount } from './account.ts'
import { answeringRazorpay } from './answering-razorpay.ts'
import { createWorld, type World } from './world.ts'

const app = createApp()

/** Calls the app in this process, as the Worker does, without rate limits. */
export type AppCaller = Pick<Visitor, 'call'>

interface Shop {
  world: World
  claims: Claims
}

/** A world that sells, with an account in it. */
export async function openShop(): Promise<Shop> {
  const world = createWorld({ payments: answeringRazorpay(() => null).gateway })
  return { world, claims: await createAccount(world.ctx()) }
}

/** A caller without an account. */
export const appCaller = (world = createWorld(), bearer = ''): AppCaller => ({
  call: async (path, options = {}) => {
    const ctx = world.ctx()
    const request = new Request(new URL(path, ctx.origin), initOf({ bearer, ...options }))
    return answerOf(await app.fetch(request, { ctx, allow: () => Promise.resolve(true) }))
  },
})

/** A caller with a session: that of a new account, or one that is given. */
export async function appMember(shop?: Shop): Promise<AppCaller> {
  const { world, claims } = shop ?? (await openShop())
  const { keys, now } = world.ctx()
  return appCaller(world, await signBearer(keys, claims, { now, expiresAt: now + days(1) }))
}
