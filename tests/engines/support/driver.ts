/** A sequence of inputs of one device, in the form that both protocols share. */
type InputSource =
  | { type: 'key'; id: string; actions: { type: 'keyDown' | 'keyUp'; value: string }[] }
  | {
      type: 'pointer'
      id: string
      actions: (
        | { type: 'pointerMove'; x: number; y: number }
        | { type: 'pointerDown' | 'pointerUp'; button: number }
      )[]
    }

/** The commands to a browser over its protocol: WebDriver BiDi for Firefox, WebDriver for WebKit. */
export interface Driver {
  open: (url: string) => Promise<void>
  /** Evaluates an async expression in the page, or in the page of its frame, and returns its JSON. */
  evaluate: (expression: string, options: { isInFrame: boolean }) => Promise<string>
  act: (source: InputSource) => Promise<void>
  resize: (width: number, height: number) => Promise<void>
  /** A PNG of what the window shows, in base64. */
  picture: () => Promise<string>
  /** The console errors of all pages so far: uncaught errors and console.error. */
  consoleErrors: () => Promise<string[]>
  close: () => Promise<void>
}

/** An engine that may be on this machine. */
export interface Engine {
  name: string
  /** False when a program is missing. */
  isInstalled: boolean
  start: () => Promise<Driver>
}

/** How to install the programs of both engines. */
export const HOW_TO_INSTALL =
  'apt-get install firefox-esr webkit2gtk-driver xvfb gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav'
