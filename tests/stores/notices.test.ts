import { expect, test } from 'vitest'
import { noticesEndpoint } from '../../src/contract/notice.ts'
import { createNotices } from '../../src/stores/notices.ts'
import { createStoreWorld } from './support/store-world.ts'

test('notices that could not be shown stay unread', async () => {
  const world = await createStoreWorld({ isSignedIn: true })
  const notices = createNotices(world)
  notices.$unread.set(2)
  world.server.cutOff(noticesEndpoint)
  await notices.open()
  expect(notices.$unread.get()).toBe(2)
  expect(world.server.requests.map(({ path }) => path)).not.toContain('/api/auth/notices/read')
})
