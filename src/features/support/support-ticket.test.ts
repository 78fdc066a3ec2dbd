import { expect, test } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { submitTicketEndpoint } from '../../contract/support.ts'
import { createSupportTicket } from './support-ticket.ts'

async function start({ isSignedIn = false } = {}) {
  const fixture = await createStoreFixture({ path: '/contact', guard: 'public', isSignedIn })
  return { ...fixture, ticket: createSupportTicket() }
}

const FILLED = { email: 'a@b.test', severity: 'high', isFeatureRequest: true, query: 'Help' }

test('a failure keeps the values', async () => {
  const { ticket, said, server } = await start()
  server.cutOff(submitTicketEndpoint)
  ticket.reset({ ...ticket.$form.get().values, ...FILLED })
  await ticket.submit()
  expect(said()).toEqual(['error: Failed to submit support ticket'])
  expect(ticket.$form.get().values.query).toBe('Help')
})

test('the address of a signed-in user is filled in, for the next ticket too', async () => {
  const { ticket, server } = await start({ isSignedIn: true })
  await ticket.prefill()
  expect(ticket.$form.get().values.email).toBe('ada@example.test')
  server.answer(submitTicketEndpoint, { ticketNumber: 'T-000001' })
  ticket.setValue('query', 'Help')
  await ticket.submit()
  ticket.submitAnother()
  await expect.poll(() => ticket.$form.get().values.email).toBe('ada@example.test')
})

test('filling in the address keeps one that the user typed', async () => {
  const { ticket } = await start({ isSignedIn: true })
  ticket.setValue('email', 'other@example.test')
  await ticket.prefill()
  expect(ticket.$form.get().values.email).toBe('other@example.test')
})
