import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings, root, workerVars } from './settings.ts'

test('without variables everything has its usual place', () => {
  expect(readSettings({})).toEqual({
    dataDir: join(root, '.data'),
    port: 8787,
    dbPort: 8788,
    razorpayPort: 8790,
  })
})

test('a value that is not a port is refused by name', () => {
  expect(() => readSettings({ DB_PORT: 'many' })).toThrow('DB_PORT=many is not a port')
  expect(() => readSettings({ PORT: '70000' })).toThrow('PORT=70000 is not a port')
})

test('with a test key of Razorpay the Worker talks to Razorpay, else to the emulator', () => {
  const ports = { port: 1, dbPort: 2, razorpayPort: 3 }
  expect(workerVars(ports, 'rzp_test_EMUkey00000001')).toMatchObject({
    RAZORPAY_BASE_URL: 'http://localhost:3',
    RAZORPAY_CHECKOUT_URL: 'http://localhost:3/checkout/v1/checkout.js',
  })
  expect(workerVars(ports, 'rzp_test_Ab12Cd34Ef56Gh')).toMatchObject({
    RAZORPAY_BASE_URL: '',
    RAZORPAY_CHECKOUT_URL: '',
  })
})

test('two services cannot share a port', () => {
  expect(() => readSettings({ PORT: '8788' })).toThrow('three different ports')
})
