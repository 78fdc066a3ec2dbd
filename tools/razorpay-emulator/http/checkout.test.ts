import { expect, test } from 'vitest'
import { createBench } from '../bench.ts'
import { defaults } from '../safety.ts'

test('a page of another site cannot pay with a plain form', async () => {
  const bench = createBench()
  const order_id = await bench.order()
  const request = new Request('http://localhost:8790/checkout/api/preset', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ key: defaults.keyId, order_id, name: 'happy' }),
  })
  expect((await bench.emulator.fetch(request)).status).toBe(400)
})

test('the frame may be shown by pages of this machine alone', async () => {
  const { headers } = await createBench().browser('/checkout/frame')
  const policy = headers.get('content-security-policy')
  expect(policy).toContain('frame-ancestors http://localhost:* http://127.0.0.1:*')
})
