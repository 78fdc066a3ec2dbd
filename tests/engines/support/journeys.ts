import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { FIELD } from '../../../src/contract/field-messages.ts'
import { TOAST } from '../../../src/contract/messages.ts'
import { SESSION } from '../../../src/contract/session-messages.ts'
import { root } from '../../../tools/launcher/settings.ts'
import { BUY, PAID } from '../../e2e/support/checkout.ts'
import { mailedPath, newUser, userWithPlan } from '../../e2e/support/user.ts'
import { ALL_PATHS } from '../../e2e/site/pages.ts'
import { HOW_TO_INSTALL, startEngine, type Driver, type Engine } from './engine.ts'
import { takeConsoleErrors } from './in-page.ts'
import { createWalker, ESCAPE, glance, type Walker } from './walker.ts'

/**
 * What a browser logs of its own accord: a call that is rejected on purpose, a transition that something overtook, and a
 * page that is left while it still loads a script, in the words of Firefox and of WebKit.
 */
const EXPECTED =
  /status of 401|Transition was skipped|Skipping view transition|loading dynamically imported module|Importing a module script failed/

const SIZES = [
  { width: 360, height: 780 },
  { width: 1280, height: 800 },
]

/** `npm run test:engines` sets it: both engines must be there, and every page is checked. */
const isWhole = process.env['ENGINES'] === 'whole'

/** The journeys of the site in one engine. Where the engine is missing, `npm test` skips them, and a line says so. */
export function testEngine(engine: Engine): void {
  const { name } = engine
  const isInstalled = engine.program !== undefined
  if (!isInstalled) console.log(`${name} is missing, so its journeys do not run: ${HOW_TO_INSTALL}`)

  describe.skipIf(!isInstalled && !isWhole)(name, () => {
    let driver: Driver
    let walker: Walker
    let end: () => Promise<void>

    beforeAll(async () => {
      ;({ driver, end } = await startEngine(engine))
      walker = createWalker(driver, inject('siteUrl'))
      await driver.resize(1280, 800)
    })

    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') {
        const file = join(root, 'test-results', `${name}-${task.id}.png`)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, await driver.picture(), 'base64')
        console.error(`${name} was at ${await walker.path()}: ${file}`)
      }
      const consoleErrors = await walker.run(takeConsoleErrors)
      const unexpected = consoleErrors.filter((text) => !EXPECTED.test(text))
      expect(unexpected, 'what the pages complained about').toEqual([])
    })

    afterAll(() => end())

    const signIn = async (token: string) => {
      await walker.go('/privacy')
      await walker.run((value) => localStorage.setItem('token', value), token)
    }

    test('films play, and can be sought', async () => {
      await walker.go('/')
      const film = () =>
        walker.run(() => {
          const video = document.querySelector('video')
          return { seconds: video?.currentTime ?? 0, isPaused: video?.paused, error: video?.error }
        })
      await expect.poll(async () => (await film()).seconds).toBeGreaterThan(0.2)
      // Again when the engine's own seek, to the film's speed, overtook it.
      const isSought = () =>
        walker.run(() => {
          const video = document.querySelector('video')
          if (video === null || video.seeking) return false
          if (video.currentTime > 5.5) return true
          video.currentTime = 6
          return false
        })
      await expect.poll(isSought, { interval: 200 }).toBe(true)
      expect(await film()).toMatchObject({ isPaused: false, error: null })
    })

    test('a user registers, verifies, buys Pro, changes the profile and signs out', async () => {
      const user = newUser()
      await walker.go('/register')
      await walker.fill('Username', user.username)
      await walker.fill('Email', user.email)
      await walker.fill('Password', user.password)
      await walker.fill('Confirm password', user.password)
      await walker.press('Create account')
      await walker.arrives('/dashboard')
      await walker.sees(TOAST.registered)
      expect(await walker.run(heightOfToast)).toBeLessThan(140)

      await walker.go(await mailedPath(user.email, 'verify-email'))
      await walker.sees(TOAST.emailVerified)

      await walker.go('/subscription')
      await walker.press(BUY)
      await walker.press(`Pay ${PAID.USD}`, { isInFrame: true })
      await walker.fill('One-time password', '1234', { isInFrame: true })
      await walker.press('Confirm', { isInFrame: true })
      await walker.sees('Payment Successful')
      await walker.arrives('/dashboard')
      await walker.sees('1,020,000')

      await walker.go('/profile')
      await walker.press('Edit profile')
      await walker.fill('First name', 'Ada')
      await walker.fill('Last name', 'Lovelace')
      await walker.press('Save')
      await walker.sees('Profile saved')
      expect(await walker.run(focusedText)).toBe('Edit profile')
      await expect.poll(() => walker.run(isFocusInView)).toBe(true)

      await walker.press('Your account')
      await walker.press('Sign out')
      await walker.arrives('/')
      await walker.sees(SESSION.loggedOut)
      expect(await walker.run(heightOfToast)).toBeLessThan(140)
      expect(await walker.run(() => localStorage.getItem('token'))).toBeNull()
    })

    test('a job is applied for: the dialogs are usable, and an error is in view', async () => {
      await driver.resize(360, 780)
      await walker.go('/careers')
      await walker.press('Software Engineer')
      await walker.press('Apply Now')
      await walker.sees('Apply for Software Engineer')
      expect(await walker.run(dialogFaults)).toEqual([])
      await walker.press('Submit application')
      await walker.sees(FIELD.emailRequired)
      await expect.poll(() => walker.run(isFocusInView)).toBe(true)
      await walker.type(ESCAPE)
      await expect.poll(() => walker.run(openDialogs)).toBeLessThan(2)
      await driver.resize(1280, 800)
    })

    test('the tabs of the settings have no scrollbar where they scroll', async () => {
      await signIn((await userWithPlan()).bearer)
      await driver.resize(320, 640)
      await walker.go('/profile')
      await walker.sees('Edit profile')
      expect(await walker.run(barOfTabs)).toBe(0)
      await driver.resize(1280, 800)
    })

    test.runIf(isWhole)('no page scrolls sideways', async () => {
      await signIn((await userWithPlan()).bearer)
      for (const path of ALL_PATHS) {
        await walker.go(path)
        for (const { width, height } of SIZES) {
          const look = async () => {
            await driver.resize(width, height)
            return walker.run(scrollsSideways)
          }
          // Again while a page sends its visitor on to another.
          const isWide = () => glance(look())
          await expect.poll(isWide, { message: `${path} at ${width} px` }).toBe(false)
        }
      }
    })
  })
}

function heightOfToast(): number {
  return document.querySelector('.toasts')?.getBoundingClientRect().height ?? 0
}

function focusedText(): string {
  return document.activeElement instanceof HTMLElement ? document.activeElement.innerText : ''
}

/** The height of the scrollbar below the tabs; null without tabs. */
function barOfTabs(): number | null {
  const tabs = document.querySelector<HTMLElement>('.tabs')
  return tabs === null ? null : tabs.offsetHeight - tabs.clientHeight - 1
}

function openDialogs(): number {
  return document.querySelectorAll('dialog[open]').length
}

function isFocusInView(): boolean {
  const focused = document.activeElement
  if (focused === null || focused === document.body) return false
  const { left, top, width } = focused.getBoundingClientRect()
  // The sticky header may cover it.
  return focused.contains(document.elementFromPoint(left + width / 2, top + 2))
}

function dialogFaults(): string[] {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  if (dialog === undefined) return ['no dialog']
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  const isOut = left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1
  return [
    ...(isOut ? ['leaves the screen'] : []),
    ...(dialog.scrollWidth > dialog.clientWidth + 1 ? ['scrolls sideways'] : []),
    ...(dialog.contains(document.activeElement) ? [] : ['has not the focus']),
  ]
}

function scrollsSideways(): boolean {
  // Less than the window where a scrollbar takes up space.
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth > clientWidth
}
