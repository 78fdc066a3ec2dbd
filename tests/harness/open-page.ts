import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Page,
  type Request,
} from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import { root } from '../../tools/launcher/settings.ts'
import { newAddress } from './visitor.ts'

export interface PageOptions {
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  /** Reduces motion unless a test is about it: motion costs half of the frames, and tests would wait for elements to rest. */
  reducedMotion?: 'reduce' | 'no-preference'
  javaScriptEnabled?: boolean
  userAgent?: string
  /** A phone: no pointer hovers. */
  isMobile?: boolean
  hasTouch?: boolean
  timezoneId?: string
  /** A site other than the run's. */
  siteUrl?: string
  /** Changes the browser before the first page is opened. */
  prepare?: (context: BrowserContext) => Promise<void>
  /** The console errors that the test expects, e.g. about a rejected call. Any other fails the test. */
  mayLog?: RegExp
}

interface OpenedPage {
  page: Page
  context: BrowserContext
}

let starting: Promise<Browser> | undefined

/** The browser of this worker, which its tests share and which ends with it: the tests of one worker run one by one. */
function openBrowser(): Promise<Browser> {
  starting ??= chromium.launch(inject('browserProgram'))
  return starting
}

/**
 * Opens a fresh browser window with an IP address of its own and closes it when the test ends. Waits up to a minute for
 * elements. An uncaught error or a console.error that the test does not expect fails it. A failed test leaves a picture,
 * a trace and the words of the page in a folder of test-results/.
 */
export async function openPage(options: PageOptions = {}): Promise<OpenedPage> {
  const {
    width = 1280,
    height = 800,
    siteUrl = inject('siteUrl'),
    mayLog,
    prepare,
    ...rest
  } = options
  const browser = await openBrowser()
  const context = await browser.newContext({
    baseURL: siteUrl,
    viewport: { width, height },
    extraHTTPHeaders: { 'cf-connecting-ip': newAddress() },
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...rest,
  })
  context.setDefaultTimeout(60_000)
  // Without snapshots of the page, which cost a sixth of what the browser tests do.
  await context.tracing.start()
  const consoleErrors = collectConsoleErrors(context)
  const underWay = watchCalls(context)
  await prepare?.(context)
  const page = await context.newPage()
  onTestFinished(async ({ task }) => {
    // A page that the test itself closed needs no picture.
    if (task.result?.state === 'fail' && !page.isClosed()) {
      const folder = join('test-results', nameOf(task.name))
      mkdirSync(join(root, folder), { recursive: true })
      await page.screenshot({ path: join(root, folder, 'page.png') }).catch(() => undefined)
      await context.tracing.stop({ path: join(root, folder, 'trace.zip') })
      const state = await tellState(page, [...underWay], consoleErrors)
      writeFileSync(join(root, folder, 'page.txt'), state)
      console.error(`${folder} has the page of the failed test: a picture, a trace and its words.`)
    }
    await context.close()
    const unexpected = consoleErrors.filter((text) => mayLog?.test(text) !== true)
    expect(unexpected.join('\n'), 'what the page complained about').toBe('')
  })
  return { page, context }
}

/**
 * Stops the clock of a page before it is opened. Its timers run only by `page.clock.runFor`, so a busy machine cannot
 * delay or hurry them. Answers of the server and films still arrive. It stops an hour ahead, because the clock runs until
 * then and cannot stop in its past.
 */
export async function stopClock(page: Page): Promise<void> {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 3_600_000)
}

/** A test's name as the name of a folder. */
const nameOf = (test: string) =>
  test
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)

/**
 * Harmless notes of the browser on a busy machine: a page was shown before its transition was ready, or the next
 * navigation overtook a transition.
 */
const LATE_TRANSITIONS = [
  'Transition was aborted because of invalid state. Page already revealed',
  'Transition was skipped. Navigation aborted',
]

function collectConsoleErrors(context: BrowserContext): string[] {
  const consoleErrors: string[] = []
  context.on('weberror', (error) => {
    const text = String(error.error())
    if (!LATE_TRANSITIONS.some((note) => text.endsWith(note))) consoleErrors.push(text)
  })
  context.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text())
  })
  return consoleErrors
}

/** The requests without an answer so far, each as method and address. */
function watchCalls(context: BrowserContext): Set<string> {
  const underWay = new Set<string>()
  const nameOf = (request: Request) => `${request.method()} ${request.url()}`
  context.on('request', (request) => underWay.add(nameOf(request)))
  context.on('requestfinished', (request) => underWay.delete(nameOf(request)))
  context.on('requestfailed', (request) => underWay.delete(nameOf(request)))
  return underWay
}

/** Describes the page in words. */
async function tellState(page: Page, underWay: string[], consoleErrors: string[]): Promise<string> {
  const words = await page.locator('body').ariaSnapshot({ timeout: 3_000 }).catch(String)
  return [
    `The page of the failed test: ${page.url()}`,
    `Without an answer: ${underWay.join(', ') || 'nothing'}`,
    `Complaints: ${consoleErrors.join(' | ') || 'none'}`,
    words,
  ].join('\n')
}
