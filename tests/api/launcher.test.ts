import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { MAIN_PLAN } from '../../src/contract/catalogue.ts'
import { exportDataEndpoint } from '../../src/contract/data-export.ts'
import { createOrderEndpoint, verifyPaymentEndpoint } from '../../src/contract/purchase.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { verifyEmailEndpoint } from '../../src/contract/credential.ts'
import { currentSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { root } from '../../tools/launcher/settings.ts'
import { askGood } from '../harness/ask.ts'
import { launch, ownSettings, untilReady } from '../harness/launch.ts'
import { newRegistration } from '../harness/registration.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import { newVisitor, signedIn, type Visitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/fixture/razorpay.ts'

const Mailbox = z.array(z.object({ to: z.string(), links: z.array(z.url()) }))

/** The secret of the verification link that the local mailbox shows for an address. */
async function mailedSecret(visitor: Visitor, email: string, port: string): Promise<string> {
  const mails = Mailbox.parse((await visitor.call('/__local/mail.json')).body)
  const links = mails.filter(({ to }) => to === email).flatMap((mail) => mail.links)
  const link = links.find((address) => address.startsWith(`http://localhost:${port}/verify-email/`))
  return link?.split('/').at(-1) ?? ''
}

test('one command starts everything: a script registers, verifies, buys, uses tokens and is refunded', async () => {
  const { path, remove } = scratchFolder('launcher')
  onTestFinished(remove)
  const settings = await ownSettings(path)
  const stack = launch(root, 'start', settings)
  onTestFinished(async () => {
    stack.child.kill()
    await stack.ended
  })
  await untilReady(stack)
  const visitor = newVisitor(`http://127.0.0.1:${settings.PORT}`)
  expect((await visitor.call('/')).headers.get('Content-Type')).toMatch(/^text\/html/)
  const body = newRegistration()
  const { token } = await askGood(visitor, registerEndpoint, { body })
  const me = signedIn(visitor, token)
  const balance = async () => {
    const { tokens, subscription } = await askGood(me, currentSubscriptionEndpoint)
    return { ...tokens, status: subscription.status }
  }
  const secret = await mailedSecret(visitor, body.email, settings.PORT)
  await askGood(visitor, verifyEmailEndpoint, { params: { token: secret } })
  const ordered = await askGood(me, createOrderEndpoint, { body: { planType: 'pro' } })
  const razorpay = controlOf(`http://127.0.0.1:${settings.RAZORPAY_PORT}`)
  const proof = await razorpay.pay(ordered.order.id)
  await askGood(me, verifyPaymentEndpoint, { body: proof })
  expect(await balance()).toEqual({ used: 0, total: 1_020_000, status: 'active' })
  await askGood(me, useTokensEndpoint, { body: { amount: 1_200 } })
  await razorpay.send('POST', `/payments/${proof.paymentId}/refund`, {
    amount: MAIN_PLAN.priceMinor.USD,
  })
  // The webhook reports the refund. What was used came from the trial, which stays.
  await expect.poll(balance).toEqual({ used: 1_200, total: 20_000, status: 'past_due' })
  const { data } = await askGood(me, exportDataEndpoint)
  expect(data).toMatchObject({ user: { email: body.email }, purchases: [{ status: 'refunded' }] })
})
