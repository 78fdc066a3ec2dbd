import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { callOf, createWorld } from '../../../tests/harness/world/world.ts'
import { me } from './me.ts'
import { days, minutes } from '../time.ts'

test('using a session does not extend it', async () => {
  const world = createWorld()
  const claims = await createAccount(world.ctx())
  const call = callOf(claims)
  for (let day = 0; day < 29; day += 1) {
    world.advance(days(1))
    await me(world.ctx(), call)
  }
  world.advance(days(1) - minutes(1))
  expect((await me(world.ctx(), call)).success).toBe(true)
  await world.drain()
  world.advance(minutes(1))
  await expect(me(world.ctx(), call)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})
