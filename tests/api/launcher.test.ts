import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../../tools/launcher/settings.ts'
import { freePorts } from '../../tools/services/ports.ts'
import { isAlive } from '../../tools/services/process-list.ts'
import { answers, waitUntil } from '../../tools/services/wait-until.ts'
import { newVisitor } from '../harness/visitor.ts'

const timeout = 90_000
const dataDir = mkdtempSync(join(tmpdir(), 'sotto-launcher-'))
const [port = 0, dbPort = 0, razorpayPort = 0] = await freePorts(3)
const url = `http://127.0.0.1:${port}`

afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true })
})

interface Launched {
  child: ChildProcess
  text: () => string
  ended: Promise<number | null>
}

/** `npm start` without npm, on ports and with a data folder of its own. */
function launch(): Launched {
  const env = {
    ...process.env,
    PORT: String(port),
    DB_PORT: String(dbPort),
    RAZORPAY_PORT: String(razorpayPort),
    DATA_DIR: dataDir,
    npm_lifecycle_event: '',
  }
  const child = spawn(process.execPath, [join(root, 'tools/launch.mjs'), 'start'], { env })
  onTestFinished(() => void child.kill())
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, text: () => text, ended }
}

async function launchAndWait(): Promise<Launched> {
  const launched = launch()
  const isUp = () => Promise.resolve(launched.text().includes('Ctrl-C ends it all'))
  if (!(await waitUntil(isUp, { timeoutMs: 60_000 }))) throw new Error(launched.text())
  return launched
}

function groups(): number[] {
  const { groups }: { groups: Record<string, number> } = JSON.parse(
    readFileSync(join(dataDir, 'run.json'), 'utf8'),
  )
  return Object.values(groups)
}

const register = (name: string) =>
  newVisitor(url).call('/api/auth/register', {
    json: {
      username: name,
      email: `${name}@example.test`,
      password: 'Correct-Horse-7',
      confirmPassword: 'Correct-Horse-7',
    },
  })

test(
  'what was answered with success outlives a kill -9 of the launcher, which leaves nothing running',
  { timeout },
  async () => {
    const first = await launchAndWait()
    expect((await register('kept_one')).status).toBe(200)
    const started = groups()
    expect(started).toHaveLength(3)
    first.child.kill('SIGKILL')
    const areGone = () => Promise.resolve(!started.some(isAlive))
    expect(await waitUntil(areGone, { timeoutMs: 10_000 })).toBe(true)

    const second = await launchAndWait()
    expect((await register('kept_one')).status).toBe(409)
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(await answers(url)).toBe(false)
  },
)

test('a second start of the same copy says that it runs already', { timeout }, async () => {
  const first = await launchAndWait()
  const second = launch()
  expect(await second.ended).toBe(1)
  expect(second.text()).toMatch(/^Already running at http:\/\/localhost:\d+ \(process \d+\)\./m)
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
})

test('a taken port is said in one line with the variable that moves it', { timeout }, async () => {
  const { createServer } = await import('node:http')
  const server = createServer().listen(dbPort, '127.0.0.1')
  onTestFinished(() => void server.close())
  const launched = launch()
  expect(await launched.ended).toBe(1)
  expect(launched.text().trim()).toBe(
    `Port ${dbPort} is taken by another program. End that, or choose another: DB_PORT=${dbPort + 100} npm start`,
  )
})
