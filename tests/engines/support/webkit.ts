import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../../../tools/services/ports.ts'
import { endService, startService } from '../../../tools/services/service.ts'
import { answers } from '../../../tools/services/wait-until.ts'
import { scratchFolder } from '../../harness/scratch-folder.ts'
import type { Driver, Engine } from './driver.ts'
import { collectConsoleErrors } from './in-page.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const SCREEN = '/usr/bin/Xvfb'

/** WebKitGTK's small browser, on a screen of its own in memory. */
export const webkit: Engine = {
  name: 'WebKit',
  isInstalled: existsSync(DRIVER) && existsSync(SCREEN),
  start: startWebKit,
}

/** Makes the toolbar so small that the window can be as narrow as a phone. */
const SMALL_TOOLBAR = '* { margin: 0; padding: 0; min-width: 0; border: 0; font-size: 1px; }'

async function startWebKit(): Promise<Driver> {
  const { path: folder, remove } = scratchFolder('webkit')
  const style = join(folder, 'gtk-3.0/gtk.css')
  mkdirSync(dirname(style))
  writeFileSync(style, SMALL_TOOLBAR)
  const port = await freePort()
  const display = `:${port}`
  const screen = await startService({
    name: 'The screen in memory',
    command: SCREEN,
    args: [display, '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    env: process.env,
    logFile: join(folder, 'screen.log'),
    isReady: () => Promise.resolve(existsSync(`/tmp/.X11-unix/X${port}`)),
    readyTimeoutMs: 120_000,
  })
  const url = `http://127.0.0.1:${port}`
  const service = await startService({
    name: 'WebKitWebDriver',
    command: DRIVER,
    args: [`--port=${port}`],
    env: { ...process.env, DISPLAY: display, XDG_CONFIG_HOME: folder },
    logFile: join(folder, 'webkit.log'),
    isReady: () => answers(`${url}/status`, { ok: true }),
    readyTimeoutMs: 120_000,
  })
  // Does not wait for the page, so that its console errors are collected from the beginning.
  const capabilities = { alwaysMatch: { pageLoadStrategy: 'none' } }
  const answer = await send('POST', `${url}/session`, { capabilities })
  const session = `${url}/session/${Session.parse(answer).sessionId}`

  const run = async (expression: string) => {
    const script = `(${collectConsoleErrors})(); return ${expression}`
    return String(await send('POST', `${session}/execute/sync`, { script, args: [] }))
  }
  const inFrame = async <T>(work: () => Promise<T>) => {
    const frame = { using: 'css selector', value: 'iframe' }
    await send('POST', `${session}/frame`, { id: await send('POST', `${session}/element`, frame) })
    return work().finally(() => send('POST', `${session}/frame`, { id: null }))
  }
  return {
    open: async (address) => {
      await send('POST', `${session}/url`, { url: address })
    },
    evaluate: (expression, { isInFrame }) =>
      isInFrame ? inFrame(() => run(expression)) : run(expression),
    act: async (source) => {
      await send('POST', `${session}/actions`, { actions: [source] })
    },
    resize: async (width, height) => {
      // The window is higher than its page by a toolbar.
      const size = async () => z.tuple([z.number(), z.number()]).parse(JSON.parse(await run(SIZE)))
      await send('POST', `${session}/window/rect`, { width, height })
      const [, shown] = await size()
      await send('POST', `${session}/window/rect`, { width, height: height + height - shown })
    },
    picture: async () => z.string().parse(await send('GET', `${session}/screenshot`)),
    consoleErrors: async () =>
      z.array(z.string()).parse(JSON.parse(await run('sessionStorage.getItem("complaints")'))),
    close: async () => {
      await send('DELETE', session).catch(() => undefined)
      await endService(service)
      await endService(screen)
      remove()
    },
  }
}

const SIZE = 'JSON.stringify([innerWidth, innerHeight])'

const Session = z.object({ sessionId: z.string() })

const Failure = z.object({ error: z.string(), message: z.string() })

async function send(method: string, url: string, json?: object): Promise<unknown> {
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const response = await fetch(url, { method, ...body })
  const { value } = z.object({ value: z.unknown() }).parse(await response.json())
  if (response.ok) return value
  const { error, message } = Failure.parse(value)
  throw new Error(`${error}: ${message}`)
}
