import { createServer } from 'node:http'
import { test } from 'vitest'
import { exampleOf } from '../../site/openapi/examples.ts'
import { electronFeed } from '../../site/releases/feeds.ts'
import { meEndpoint } from '../../src/contract/account.ts'
import { startExample } from '../harness/example-app.ts'
import { listenInTest } from '../harness/listen.ts'
import { aRelease } from '../harness/releases.ts'

/** A site whose account is signed in, with a feed of updates; null ends the connection instead. */
function startFeed(feed: string | null): Promise<string> {
  const { user, session } = Object(exampleOf(meEndpoint).success)
  const server = createServer(({ url }, response) => {
    if (url === meEndpoint.path) response.end(JSON.stringify({ success: true, user, session }))
    else if (url !== '/download/latest-mac.yml') response.writeHead(404).end('{}')
    else if (feed === null) response.destroy()
    else response.end(feed)
  })
  return listenInTest(server)
}

test('the example says when a newer version is there, and runs when it cannot know', async () => {
  const kept = { token: 'a token', userId: 'ada', queue: [] }
  const newer = electronFeed([aRelease('1.0.1')], 'mac')
  const first = startExample(await startFeed(newer), kept)
  await first.sees(/^Version 1\.0\.1 is there\.$/m)
  await first.end()
  const second = startExample(await startFeed(null), kept)
  await second.sees(/^Ask something/m)
  await second.end()
})
