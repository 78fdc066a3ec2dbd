import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../../../tools/services/ports.ts'
import { endService, startService } from '../../../tools/services/service.ts'
import { answers } from '../../../tools/services/wait-until.ts'
import { scratchFolder } from '../../harness/scratch-folder.ts'
import type { Driver, Engine } from './driver.ts'

const program = [
  process.env['FIREFOX_PATH'] ?? '',
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
].find((path) => existsSync(path))

/** The Firefox of this machine, without a driver program: it speaks WebDriver BiDi itself. */
export const firefox: Engine = {
  name: 'Firefox',
  isInstalled: program !== undefined,
  start: startFirefox,
}

/** Quiet: no first-run pages, no calls home, and films may play as in a visible window. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
}

async function startFirefox(): Promise<Driver> {
  const { path: folder, remove } = scratchFolder('firefox')
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  writeFileSync(join(folder, 'user.js'), lines.join('\n'))
  const port = await freePort()
  const service = await startService({
    name: 'Firefox',
    command: program ?? '',
    args: [
      ...['--headless', '--no-remote', '--profile', folder],
      ...['--remote-debugging-port', String(port)],
      'about:blank',
    ],
    env: process.env,
    logFile: join(folder, 'firefox.log'),
    isReady: () => answers(`http://127.0.0.1:${port}/`),
    readyTimeoutMs: 120_000,
  })
  const { send, onEvent } = await connect(`ws://127.0.0.1:${port}/session`)
  await send('session.new', { capabilities: {} })
  const { contexts } = Tree.parse(await send('browsingContext.getTree', {}))
  const context = contexts[0]?.context ?? ''
  const consoleErrors: string[] = []
  onEvent((event) => {
    const entry = LogEntry.safeParse(event).data?.params
    if (entry?.level === 'error') consoleErrors.push(entry.text ?? 'an error without words')
  })
  await send('session.subscribe', { events: ['log.entryAdded'] })

  const frameOf = async () => {
    const tree = Tree.parse(await send('browsingContext.getTree', { root: context }))
    return tree.contexts[0]?.children?.[0]?.context ?? context
  }
  return {
    open: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'interactive' })
    },
    evaluate: async (expression, { isInFrame }) => {
      const target = { context: isInFrame ? await frameOf() : context }
      const answer = await send('script.evaluate', { expression, target, awaitPromise: true })
      const { result, exceptionDetails } = Evaluated.parse(answer)
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
      return result?.value ?? 'null'
    },
    act: async (source) => {
      await send('input.performActions', { context, actions: [source] })
    },
    resize: async (width, height) => {
      await send('browsingContext.setViewport', { context, viewport: { width, height } })
    },
    picture: async () =>
      Picture.parse(await send('browsingContext.captureScreenshot', { context })).data,
    consoleErrors: () => Promise.resolve(consoleErrors),
    close: async () => {
      await endService(service)
      remove()
    },
  }
}

const Tree = z.object({
  contexts: z.array(
    z.object({
      context: z.string(),
      children: z.array(z.object({ context: z.string() })).nullish(),
    }),
  ),
})

const LogEntry = z.object({
  method: z.literal('log.entryAdded'),
  params: z.object({ level: z.string(), text: z.string().nullable() }),
})

const Evaluated = z.object({
  result: z.object({ value: z.string().optional() }).optional(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
})

const Picture = z.object({ data: z.string() })

const Message = z.object({
  id: z.number().nullish(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
})

/** A connection that sends commands and waits for their answers. */
async function connect(url: string) {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const listeners: ((event: unknown) => void)[] = []
  socket.addEventListener('message', ({ data }) => {
    const json: unknown = JSON.parse(String(data))
    const { id, result, error, message } = Message.parse(json)
    const asked = waiting.get(id ?? 0)
    waiting.delete(id ?? 0)
    if (error !== undefined) asked?.reject(new Error(`${error}: ${message ?? ''}`))
    else if (asked === undefined) listeners.forEach((listener) => listener(json))
    else asked.resolve(result)
  })
  let last = 0
  return {
    onEvent: (listener: (event: unknown) => void) => listeners.push(listener),
    send: (method: string, params: object): Promise<unknown> => {
      const id = ++last
      const asked = Promise.withResolvers<unknown>()
      waiting.set(id, asked)
      socket.send(JSON.stringify({ id, method, params }))
      return asked.promise
    },
  }
}
