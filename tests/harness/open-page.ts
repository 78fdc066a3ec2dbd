import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import { root } from '../../tools/launcher/settings.ts'
import './provided.ts'
import { newAddress } from './visitor.ts'

export interface PageOptions {
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce' | 'no-preference'
  javaScriptEnabled?: boolean
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
 * that failed leaves a picture in test-results/. Waits for elements at most 10 s. An uncaught error or a line of
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
  const page = await context.newPage()
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await takePicture(page, task.name)
    await context.close()
    const unexpected = complaints.filter((text) => mayComplain?.test(text) !== true)
    expect(unexpected, 'what the page complained about').toEqual([])
  })
  return { page, context, complaints }
}

function collectComplaints(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return complaints
}

async function takePicture(page: Page, name: string): Promise<void> {
  const file = `${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)}.png`
  await page.screenshot({ path: join(root, 'test-results', file) }).catch(() => undefined)
}
