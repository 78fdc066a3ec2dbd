import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listenInTest } from '../../tests/harness/listen.ts'
import { addressBlock, notReadyLine, requireFreePort } from './run-stack.ts'
import { readSettings } from './settings.ts'

async function ask(status: number, body: unknown): Promise<string | null> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return notReadyLine(await listenInTest(server))
}

test('the addresses say which Razorpay the site talks to', () => {
  const settings = readSettings({})
  expect(addressBlock(settings, 'rzp_test_EMUkey00000001')).toContain('Razorpay emulator')
  const block = addressBlock(settings, 'rzp_test_Ab12Cd34Ef56Gh')
  expect(block).toContain('its own test mode, with the key rzp_test_Ab12Cd34Ef56Gh')
  expect(block).not.toContain('emulator')
})

test('a site that is ready needs no line', async () => {
  expect(await ask(200, { success: true, ready: true })).toBeNull()
})

test('a site that is not ready is named with what is down and where to look', async () => {
  const line = await ask(503, { success: false, message: 'Down: configuration' })
  expect(line).toContain('Down: configuration')
  expect(line).toContain('.dev.vars')
})

test('a taken port is reported in one line with the variable that changes it', async () => {
  const port = Number(new URL(await listenInTest(createServer())).port)
  await expect(requireFreePort('DB_PORT', port, 1)).rejects.toThrow(
    `Port ${port} is taken by another program. End that, or choose another: DB_PORT=${port + 100} npm start`,
  )
})
