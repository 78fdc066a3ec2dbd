import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { registerEndpoint } from '../../src/contract/session.ts'
import { root } from '../../tools/launcher/settings.ts'
import { askGood } from '../harness/ask.ts'
import { launch, ownSettings, untilReady } from '../harness/launch.ts'
import { openPage } from '../harness/open-page.ts'
import { newVisitor } from '../harness/visitor.ts'
import { newUser, openAs } from './support/user.ts'

/** What a fresh clone does not have. */
const MADE = /^(dist|test-results|node_modules|\..*)$/

/** The tree as a fresh clone has it, after its packages were installed. Below the root: only there can files be linked. */
function freshClone(): { path: string; remove: () => void } {
  const parent = join(root, '.data')
  mkdirSync(parent, { recursive: true })
  const path = mkdtempSync(join(parent, 'clone-'))
  for (const name of readdirSync(root).filter((name) => !MADE.test(name))) {
    cpSync(join(root, name), join(path, name), { recursive: true })
  }
  const withoutCopying = process.platform === 'linux' ? '-al' : '-Rc'
  execFileSync('cp', [withoutCopying, join(root, 'node_modules'), join(path, 'node_modules')])
  for (const cache of ['.vite', '.astro', '.cache']) {
    rmSync(join(path, 'node_modules', cache), { recursive: true, force: true })
  }
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** `npm run dev` in this tree, with a data folder of its own; returns the address of its site. */
async function startDev(tree: string, dataDir: string): Promise<string> {
  const settings = await ownSettings(join(tree, dataDir))
  const dev = launch(tree, 'dev', settings)
  onTestFinished(async () => {
    dev.child.kill()
    await dev.ended
  })
  await untilReady(dev)
  return `http://localhost:${settings.PORT}`
}

test('the first pages of `npm run dev` on a fresh clone work: the films play, the dashboard greets, and a second copy leaves the first its database', async () => {
  const clone = freshClone()
  onTestFinished(clone.remove)
  const siteUrl = await startDev(clone.path, '.data')
  const films = await openPage({ siteUrl, reducedMotion: 'no-preference' })
  await films.page.goto('/')
  const carousel = films.page.getByRole('region', { name: 'Films' })
  const button = (name: string) => carousel.getByRole('button', { name, exact: true })
  const isPaused = () =>
    films.page
      .locator('.clip[data-current] video')
      .evaluate((video: HTMLVideoElement) => video.paused)
  await expect.poll(isPaused).toBe(false)
  await button('Pause the films').click()
  await expect.poll(isPaused).toBe(true)
  await button('Play the films').click()
  await expect.poll(isPaused).toBe(false)

  const user = newUser()
  const body = { ...user, confirmPassword: user.password }
  const { token } = await askGood(newVisitor(siteUrl), registerEndpoint, { body })
  const { page } = await openAs(token, '/dashboard', { reducedMotion: 'no-preference', siteUrl })
  await page.getByText(user.username).first().waitFor()

  const secondUrl = await startDev(clone.path, '.data-2')
  const statusAt = async (url: string) =>
    (await newVisitor(url).call('/api/auth/me', { bearer: token })).status
  expect([await statusAt(siteUrl), await statusAt(secondUrl)]).toEqual([200, 401])
}, 360_000)
