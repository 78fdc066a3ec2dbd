import { join } from 'node:path'
import { freePort } from '../../../tools/services/ports.ts'
import { endService, startService } from '../../../tools/services/service.ts'
import { answers } from '../../../tools/services/wait-until.ts'
import { scratchFolder } from '../../harness/scratch-folder.ts'

/** An engine that may be on this machine. */
export interface Engine {
  name: string
  /** What is started, and then listens on a port; undefined when it is missing. */
  program: string | undefined
  /** Prepares the folder of its settings, and returns the program's arguments. */
  prepare: (port: number, folder: string) => string[]
  connect: (port: number) => Promise<Driver>
}

/** The commands to the page of a browser. */
export interface Driver {
  open: (url: string) => Promise<void>
  /** Evaluates an async expression in the page, or in the page of its frame, and returns its JSON. */
  evaluate: (expression: string, options: { isInFrame: boolean }) => Promise<string>
  /** Clicks on a place in the window. */
  click: (at: { x: number; y: number }) => Promise<void>
  type: (keys: string) => Promise<void>
  resize: (width: number, height: number) => Promise<void>
  /** A PNG of what the window shows, in base64. */
  picture: () => Promise<string>
}

/** How to install the programs of both engines. */
export const HOW_TO_INSTALL =
  'apt-get install firefox-esr webkit2gtk-driver xvfb xauth gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav'

/** Starts an engine that knows nothing from earlier runs. It cannot outlive the tests. */
export async function startEngine(
  engine: Engine,
): Promise<{ driver: Driver; end: () => Promise<void> }> {
  const { path: folder, remove } = scratchFolder(engine.name)
  const port = await freePort()
  const service = await startService({
    name: engine.name,
    command: engine.program ?? '',
    args: engine.prepare(port, folder),
    env: { ...process.env, XDG_CONFIG_HOME: folder },
    logFile: join(folder, 'log'),
    isReady: () => answers(`http://127.0.0.1:${port}/`),
    readyTimeoutMs: 120_000,
  })
  return {
    driver: await engine.connect(port),
    end: async () => {
      await endService(service)
      remove()
    },
  }
}
