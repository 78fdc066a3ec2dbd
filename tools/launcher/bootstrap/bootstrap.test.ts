import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { listenInTest } from '../../../tests/harness/listen.ts'
import { testFolder } from '../../../tests/harness/test-folder.ts'
import { root } from '../settings.ts'
import { withLock } from './lock.mjs'
import { isNewEnough } from './node.mjs'
import { runNpm } from './packages.mjs'

const scratch = () => testFolder('bootstrap')

test('a Node that runs TypeScript by itself is new enough', () => {
  expect(['18.20.0', '20.20.2', '22.17.1', '23.5.0'].map(isNewEnough)).not.toContain(true)
  expect(['22.18.0', '24.0.0', '26.1.0'].map(isNewEnough)).not.toContain(false)
})

test('a command runs without the environment that the shell names for Wrangler, and refuses words where it takes none', () => {
  const file = join(scratch(), 'command.mjs')
  writeFileSync(file, 'export const show = () => console.log([process.env.CLOUDFLARE_ENV])')
  const run = (...words: string[]) => {
    const args = [join(root, 'tools/launch.mjs'), relative(root, file), 'show', ...words]
    const env = { ...process.env, CLOUDFLARE_ENV: 'production' }
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
    return [status, stdout + stderr]
  }
  expect(run()).toEqual([0, '[ undefined ]\n'])
  expect(run('--port')).toEqual([1, 'npm run show takes no "--port".\n'])
})

test('a registry that cannot be reached is reported in one line', async () => {
  const cwd = scratch()
  writeFileSync(join(cwd, 'package.json'), '{"dependencies":{"left-pad":"1.3.0"}}')
  writeFileSync(join(cwd, '.npmrc'), 'registry=http://127.0.0.1:9/\nfetch-retries=0\n')
  const install = runNpm(['install'], { cwd, what: 'The packages' })
  await expect(install).rejects.toThrow(
    'The packages could not be downloaded: the package registry cannot be reached (ECONNREFUSED). ' +
      "Check the network or npm's proxy settings and run again.",
  )
})

test('two holders of one lock take turns', async () => {
  const file = join(scratch(), 'a.lock')
  const order: string[] = []
  const hold = (name: string) => {
    const work = async () => {
      order.push(`${name} in`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push(`${name} out`)
    }
    return withLock(file, work, undefined, 1)
  }
  await Promise.all([hold('a'), hold('b')])
  const turns = ['a in, a out, b in, b out', 'b in, b out, a in, a out']
  expect(turns).toContain(order.join(', '))
})

test('a lock whose holder died is taken over', async () => {
  const file = join(scratch(), 'b.lock')
  const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await new Promise((resolve) => dead.once('exit', resolve))
  writeFileSync(file, String(dead.pid))
  expect(await withLock(file, () => readFileSync(file, 'utf8'))).toBe(String(process.pid))
})

test('a lock that an earlier process with our id left is taken over', async () => {
  const file = join(scratch(), 'c.lock')
  writeFileSync(file, String(process.pid))
  expect(await withLock(file, () => 'held')).toBe('held')
})

test('somebody who waits for a lock reads where to look', async () => {
  const file = join(scratch(), 'd.lock')
  writeFileSync(file, String(process.ppid))
  const said: string[] = []
  await withLock(
    file,
    () => undefined,
    (line: string) => {
      said.push(line)
      rmSync(file)
    },
    1,
  )
  expect(said).toEqual([
    `Waiting for the process that ${file} names … If that is another program, delete the file.`,
  ])
})

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'an install ends with the launcher that is ended by %s',
  async (signal) => {
    const cwd = scratch()
    let [asked, left] = [0, 0]
    const registry = createServer((request) => {
      asked += 1
      request.socket.once('close', () => (left += 1))
    })
    const url = await listenInTest(registry)
    writeFileSync(join(cwd, 'package.json'), '{"dependencies":{"left-pad":"1.3.0"}}')
    writeFileSync(join(cwd, '.npmrc'), `registry=${url}\n`)
    const install = `import { runNpm } from ${JSON.stringify(import.meta.resolve('./packages.mjs'))}
      await runNpm(['install'], { cwd: ${JSON.stringify(cwd)}, what: 'The packages' })`
    const launcher = spawn(process.execPath, ['--input-type=module', '-e', install])
    await expect.poll(() => asked).toBeGreaterThan(0)
    launcher.kill(signal)
    await expect.poll(() => left).toBe(asked)
  },
)

test('an npm that fails is quoted with its own code', async () => {
  const cwd = scratch()
  writeFileSync(join(cwd, 'package.json'), '{}')
  const install = runNpm(['ci'], { cwd, what: 'The packages' })
  await expect(install).rejects.toThrow('The packages could not be installed (EUSAGE): ')
})
