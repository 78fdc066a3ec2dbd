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
  reducedMotion?: 'reduce' | 'no-preference'
  javaScriptEnabled?: boolean
  userAgent?: string
  /** Another site than the run's own. */
  siteUrl?: string
  /** What the page is expected to complain about, e.g. a call that is refused. Anything else fails the test. */
  mayComplain?: RegExp
}

export interface OpenedPage {
  page: Page
  context: BrowserContext
  /** What the page complained about: uncaught errors and console.error, in order. */
  complaints: string[]
}

let connecting: Promise<Browser> | undefined

/** The browser of this run, shared by the tests of a file. */
export function openBrowser(): Promise<Browser> {
  connecting ??= chromium.connect(inject('browserEndpoint'))
  return connecting
}

/**
 * A fresh browser window, as a visitor with an address of their own would have it. Closed when the test ends; a test
 * that failed leaves a picture in test-results/ and prints what the page was. Waits for elements at most 10 s. An uncaught error or a line of
 * console.error that the test does not expect fails it.
 */
export async function openPage(options: PageOptions = {}): Promise<OpenedPage> {
  const { width = 1280, height = 800, siteUrl = inject('siteUrl'), mayComplain, ...rest } = options
  const browser = await openBrowser()
  const context = await browser.newContext({
    baseURL: siteUrl,
    viewport: { width, height },
    extraHTTPHeaders: { 'cf-connecting-ip': newAddress() },
    locale: 'en-US',
    timezoneId: 'UTC',
    ...rest,
  })
  context.setDefaultTimeout(10_000)
  const complaints = collectComplaints(context)
  const underWay = watchCalls(context)
  const page = await context.newPage()
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') {
      await takePicture(page, task.name)
      console.error(await tellState(page, [...underWay], complaints))
    }
    await context.close()
    const unexpected = complaints.filter((text) => mayComplain?.test(text) !== true)
    expect(unexpected, 'what the page complained about').toEqual([])
  })
  return { page, context, complaints }
}

/**
 * The browser's own notes, on a busy machine and to no harm, that a page was shown before its transition was ready, and
 * that one on its way was overtaken by the next.
 */
const LATE_TRANSITIONS = [
  'Transition was aborted because of invalid state. Page already revealed',
  'Transition was skipped. Navigation aborted',
]

function collectComplaints(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('weberror', (error) => {
    const text = String(error.error())
    if (!LATE_TRANSITIONS.some((note) => text.endsWith(note))) complaints.push(text)
  })
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return complaints
}

/** The requests that have no answer yet, each as its method and address. */
function watchCalls(context: BrowserContext): Set<string> {
  const underWay = new Set<string>()
  const nameOf = (request: Request) => `${request.method()} ${request.url()}`
  context.on('request', (request) => underWay.add(nameOf(request)))
  context.on('requestfinished', (request) => underWay.delete(nameOf(request)))
  context.on('requestfailed', (request) => underWay.delete(nameOf(request)))
  return underWay
}

/** What a picture does not tell where only the text of a run is at hand. */
async function tellState(page: Page, underWay: string[], complaints: string[]): Promise<string> {
  const words = await page.locator('body').ariaSnapshot({ timeout: 3_000 }).catch(String)
  return [
    `The page of the failed test: ${page.url()}`,
    `Without an answer: ${underWay.join(', ') || 'nothing'}`,
    `Complaints: ${complaints.join(' | ') || 'none'}`,
    words.slice(0, 4_000),
  ].join('\n')
}

async function takePicture(page: Page, name: string): Promise<void> {
  const file = `${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)}.png`
  await page.screenshot({ path: join(root, 'test-results', file) }).catch(() => undefined)
}
