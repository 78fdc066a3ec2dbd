import { expect, test } from 'vitest'
import { createStoreWorld } from './support/store-world.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { createSupportTicket } from '../../src/stores/support-ticket.ts'

async function start({ isSignedIn = false } = {}) {
  const world = await createStoreWorld({ path: '/contact', guard: 'public', isSignedIn })
  return { ...world, ticket: createSupportTicket(world) }
}

const FILLED = { email: 'a@b.test', severity: 'high', isFeatureRequest: true, query: 'Help' }

test('an empty ticket is told in a toast and sends nothing', async () => {
  const { ticket, said, server } = await start()
  await ticket.submit()
  expect(said()).toEqual(['error: Please fill in all required fields'])
  expect(server.requests).toEqual([])
})

test('a sent ticket shows its number; another one starts empty, at medium', async () => {
  const { ticket, said, server } = await start()
  server.answer(submitTicketEndpoint, { ticketNumber: 'T-000001' })
  ticket.reset(FILLED)
  await ticket.submit()
  expect(server.requests[0]?.body).toEqual(FILLED)
  expect(ticket.$ticketNumber.get()).toBe('T-000001')
  expect(said()).toEqual(['success: Support ticket submitted successfully!'])
  ticket.submitAnother()
  expect(ticket.$ticketNumber.get()).toBeNull()
  expect(ticket.$form.get().values).toMatchObject({ email: '', severity: 'medium', query: '' })
})

test('the next attempt takes the toast of the last one away', async () => {
  const { ticket, said, server } = await start()
  await ticket.submit()
  await ticket.submit()
  expect(said()).toEqual(['error: Please fill in all required fields'])
  server.answer(submitTicketEndpoint, { ticketNumber: 'T-000001' })
  ticket.reset(FILLED)
  await ticket.submit()
  expect(said()).toEqual(['success: Support ticket submitted successfully!'])
})

test('a failure keeps what was typed', async () => {
  const { ticket, said, server } = await start()
  server.cutOff(submitTicketEndpoint)
  ticket.reset(FILLED)
  await ticket.submit()
  expect(said()).toEqual(['error: Failed to submit support ticket'])
  expect(ticket.$form.get().values.query).toBe('Help')
})

test('who is signed in finds the own address filled in, the next time too', async () => {
  const { ticket, server } = await start({ isSignedIn: true })
  await ticket.prefill()
  expect(ticket.$form.get().values.email).toBe('ada@example.test')
  server.answer(submitTicketEndpoint, { ticketNumber: 'T-000001' })
  ticket.setValue('query', 'Help')
  await ticket.submit()
  ticket.submitAnother()
  await expect.poll(() => ticket.$form.get().values.email).toBe('ada@example.test')
})

test('what was typed stays when the account becomes known', async () => {
  const { ticket } = await start({ isSignedIn: true })
  ticket.setValue('email', 'other@example.test')
  await ticket.prefill()
  expect(ticket.$form.get().values.email).toBe('other@example.test')
})
