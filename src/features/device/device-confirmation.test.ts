import { expect, test } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { confirmDeviceEndpoint, deviceRequestEndpoint } from '../../contract/device.ts'
import { createDeviceConfirmation } from './device-confirmation.ts'

async function openLink(search: string) {
  const fixture = await createStoreFixture({ path: '/device', search, isSignedIn: true })
  return { ...fixture, device: createDeviceConfirmation() }
}

test('without a code the page makes no call', async () => {
  const { device, server } = await openLink('')
  await device.prefill()
  expect(server.requests).toEqual([])
})

test('approving or refusing a code removes it from the URL', async () => {
  const { device, server, address } = await openLink('?code=BCDF-GHJK')
  const request = {
    clientName: 'Ada’s MacBook',
    expiresAt: '2026-11-21T10:10:00.000Z',
    isConnected: false,
  }
  server.answer(deviceRequestEndpoint, { request })
  server.refuse(confirmDeviceEndpoint, 'RATE_LIMITED', 'Please wait.')
  server.answer(confirmDeviceEndpoint, {})
  await device.prefill()
  await device.answer(true)
  expect(address.search).toBe('?code=BCDF-GHJK')
  await device.answer(true)
  expect(device.$device.get()).toMatchObject({ step: 'approved' })
  expect(address.search).toBe('')
  device.restart()
  expect(device.form.$form.get()).toMatchObject({
    values: { userCode: '' },
    focus: { field: 'userCode' },
  })
})

test('an app that is connected already is shown as connected, without a question', async () => {
  const { device, server } = await openLink('?code=BCDF-GHJK')
  const clientName = 'Ada’s MacBook'
  const request = { clientName, expiresAt: '2026-11-21T10:10:00.000Z', isConnected: true }
  server.answer(deviceRequestEndpoint, { request })
  await device.prefill()
  expect(device.$device.get()).toEqual({ step: 'approved', clientName, isAgain: true })
})
