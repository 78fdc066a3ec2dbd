import { existsSync } from 'node:fs'
import puppeteer from 'puppeteer-core'
import type { Driver, Engine } from './engine.ts'
import { collectConsoleErrors } from './in-page.ts'

/** The Firefox of this machine, without a driver program: it speaks WebDriver BiDi itself. */
export const firefox: Engine = {
  name: 'Firefox',
  program: [
    process.env['FIREFOX_PATH'] ?? '',
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ].find((path) => existsSync(path)),
  prepare: (port, folder) => [
    ...['--headless', '--no-remote', '--profile', folder],
    ...['--remote-debugging-port', String(port), 'about:blank'],
  ],
  connect,
}

async function connect(port: number): Promise<Driver> {
  const browser = await puppeteer.connect({
    browserWSEndpoint: `ws://127.0.0.1:${port}/session`,
    protocol: 'webDriverBiDi',
    defaultViewport: null,
  })
  const [page] = await browser.pages()
  if (page === undefined) throw new Error('Firefox has no page')
  await page.evaluateOnNewDocument(collectConsoleErrors)
  return {
    open: async (url) => {
      await page.goto(url, { waitUntil: 'domcontentloaded' })
    },
    evaluate: async (expression, { isInFrame }) =>
      String(await page.frames()[isInFrame ? 1 : 0]?.evaluate(expression)),
    click: ({ x, y }) => page.mouse.click(x, y),
    type: (keys) => page.keyboard.type(keys),
    resize: (width, height) => page.setViewport({ width, height }),
    picture: () => page.screenshot({ encoding: 'base64' }),
  }
}
