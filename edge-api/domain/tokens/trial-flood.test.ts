import { expect, test } from 'vitest'
import { memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { resolveIdentity } from '../session/resolve-identity.ts'

test('a script that signs 1,000 people up from one network in an hour gets as many trials as a network has', async () => {
  const world = memoryWorld()
  // With Google, which no other limit slows down: registering counts each network already.
  for (let made = 0; made < 1_000; made += 1) {
    await resolveIdentity(world.ctx(), {
      subject: `g-${made}`,
      email: `p${made}@example.test`,
      isEmailVerified: true,
      name: '',
      firstName: null,
      lastName: null,
    })
    world.advance(3_600)
  }
  const [row] = world.read(`SELECT count(*) AS trials FROM ledger WHERE kind = 'trial'`)
  console.log(`1,000 sign-ups from one network in an hour: ${String(row?.['trials'])} trials`)
  expect(row).toEqual({ trials: DAILY_LIMITS.networkTrial })
})
