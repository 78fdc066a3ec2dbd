import { expect, onTestFinished, test } from 'vitest'
import { BOOKMARK_HEADER } from '../../src/contract/bookmark.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { root } from '../../tools/launcher/settings.ts'
import { freePort } from '../../tools/services/ports.ts'
import { answers } from '../../tools/services/wait-until.ts'
import { ask } from '../harness/ask.ts'
import { launch, untilReady } from '../harness/launch.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import { newVisitor } from '../harness/visitor.ts'

test(
  '`npm run dev:replica` starts a primary, which one can stop by hand, and a replica that the site knows',
  { timeout: 90_000 },
  async () => {
    const { path: DATA_DIR, remove } = scratchFolder('dev-replica')
    onTestFinished(remove)
    const [port, dbPort, replicaPort] = [await freePort(), await freePort(), await freePort()]
    const stack = launch(root, 'dev:replica', {
      DATA_DIR,
      PORT: String(port),
      DB_PORT: String(dbPort),
      REPLICA_PORT: String(replicaPort),
      RAZORPAY_PORT: String(await freePort()),
    })
    onTestFinished(async () => {
      stack.child.kill()
      await stack.ended
    })
    await untilReady(stack)
    const ticket = { body: { email: 'a@example.test', query: 'Hello' } }
    const answer = await ask(newVisitor(`http://127.0.0.1:${port}`), submitTicketEndpoint, ticket)
    expect(Number(answer.headers.get(BOOKMARK_HEADER))).toBeGreaterThan(0)
    expect(await answers(`http://127.0.0.1:${replicaPort}/health`)).toBe(true)
    const [, pid] = /`kill -STOP (\d+)`/.exec(stack.text()) ?? []
    process.kill(Number(pid), 'SIGSTOP')
    expect(await answers(`http://127.0.0.1:${dbPort}/health`)).toBe(false)
    process.kill(Number(pid), 'SIGCONT')
    expect(await answers(`http://127.0.0.1:${dbPort}/health`)).toBe(true)
  },
)
