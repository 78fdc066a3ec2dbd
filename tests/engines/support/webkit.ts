import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Driver, Engine } from './engine.ts'
import { collectConsoleErrors } from './in-page.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const SCREEN = '/usr/bin/xvfb-run'

/** Makes the toolbar so small that the window can be as narrow as a phone. */
const SMALL_TOOLBAR = '* { margin: 0; padding: 0; min-width: 0; border: 0; font-size: 1px; }'

/** WebKitGTK's small browser, on a screen of its own in memory, through its WebDriver server. */
export const webkit: Engine = {
  name: 'WebKit',
  program: [DRIVER, SCREEN].every((path) => existsSync(path)) ? SCREEN : undefined,
  prepare: (port, folder) => {
    mkdirSync(join(folder, 'gtk-3.0'))
    writeFileSync(join(folder, 'gtk-3.0/gtk.css'), SMALL_TOOLBAR)
    const screen = ['--server-num', String(port), '--auth-file', join(folder, 'screen')]
    return [...screen, DRIVER, `--port=${port}`]
  },
  connect,
}

async function connect(port: number): Promise<Driver> {
  const url = `http://127.0.0.1:${port}/session`
  // Does not wait for the page, so that its console errors are collected from the beginning.
  const capabilities = { alwaysMatch: { pageLoadStrategy: 'none' } }
  const { sessionId } = Session.parse(await send(url, { capabilities }))
  const call = (command: string, body?: object) => send(`${url}/${sessionId}/${command}`, body)

  const run = async (expression: string) => {
    const script = `(${collectConsoleErrors})(); return ${expression}`
    return String(await call('execute/sync', { script, args: [] }))
  }
  const act = async (type: string, actions: object[]) => {
    await call('actions', { actions: [{ type, id: type, actions }] })
  }
  return {
    open: async (address) => {
      await call('url', { url: address })
    },
    evaluate: async (expression, { isInFrame }) => {
      if (!isInFrame) return run(expression)
      await call('frame', { id: await call('element', { using: 'css selector', value: 'iframe' }) })
      return run(expression).finally(() => call('frame', { id: null }))
    },
    click: ({ x, y }) =>
      act('pointer', [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type: (keys) => {
      const press = (value: string) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))
      return act('key', [...keys].flatMap(press))
    },
    resize: async (width, height) => {
      // The window is higher than its page by a toolbar.
      await call('window/rect', { width, height })
      const shown = Number(await run('innerHeight'))
      await call('window/rect', { width, height: height + height - shown })
    },
    picture: async () => String(await call('screenshot')),
  }
}

const Session = z.object({ sessionId: z.string() })

/** A command of WebDriver: its answer, or an error in its words. */
async function send(url: string, body?: object): Promise<unknown> {
  const post = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(url, post)
  const { value } = z.object({ value: z.unknown() }).parse(await response.json())
  if (response.ok) return value
  throw new Error(JSON.stringify(value))
}
