import { expect } from 'vitest'
import type { Driver } from './driver.ts'
import { locate, wasMissed, type Wanted } from './in-page.ts'

/** The keys other than letters, as both protocols write them. */
export const KEY = { tab: '\uE004', escape: '\uE00C', arrowRight: '\uE014' }

/** A person at a browser: looks, clicks, types and waits. */
export interface Walker {
  go: (path: string) => Promise<void>
  path: () => Promise<string>
  /** Runs a function in the page; it and its arguments are sent as text. */
  run: <A extends unknown[], R>(work: (...args: A) => R | Promise<R>, ...args: A) => Promise<R>
  press: (name: string, options?: { isInFrame: boolean }) => Promise<void>
  fill: (label: string, text: string, options?: { isInFrame: boolean }) => Promise<void>
  type: (keys: string) => Promise<void>
  /** Waits until the page, or its frame, shows these words. */
  sees: (words: string) => Promise<void>
  arrives: (path: string) => Promise<void>
}

const inPage = { isInFrame: false }

/** Milliseconds that a look into the page may take: a page that is just being left may never answer. */
const LOOK_MS = 10_000

/** What a look into the page finds; null when there is no answer and the caller must look again. */
export function glance<T>(look: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => {
    setTimeout(resolve, LOOK_MS, null)
  })
  return Promise.race([look, late]).catch(() => null)
}

export function createWalker(driver: Driver, siteUrl: string): Walker {
  const runIn: <A extends unknown[], R>(
    place: { isInFrame: boolean },
    work: (...args: A) => R | Promise<R>,
    ...args: A
  ) => Promise<R> = async (place, work, ...args) => {
    const call = `(${String(work)})(...${JSON.stringify(args)})`
    const expression = `(async () => JSON.stringify((await ${call}) ?? null))()`
    return JSON.parse(await driver.evaluate(expression, place))
  }
  const run: Walker['run'] = (work, ...args) => runIn(inPage, work, ...args)

  /** Where it is once it stands still, in the coordinates of the window. */
  const find = async (wanted: Wanted, place: { isInFrame: boolean }) => {
    let at: { x: number; y: number } | null = null
    const isStill = async () => {
      const before = at
      at = await glance(runIn(place, locate, wanted))
      return at !== null && at.x === before?.x && at.y === before.y
    }
    await expect.poll(isStill, { message: `${wanted.what} "${wanted.name}"` }).toBe(true)
    const { x, y } = place.isInFrame ? await run(frameCorner) : { x: 0, y: 0 }
    return { x: x + (at?.['x'] ?? 0), y: y + (at?.['y'] ?? 0) }
  }
  const clickOnce = async (wanted: Wanted, place: { isInFrame: boolean }) => {
    const { x, y } = await find(wanted, place)
    const actions = [
      { type: 'pointerMove' as const, x, y },
      { type: 'pointerDown' as const, button: 0 },
      { type: 'pointerUp' as const, button: 0 },
    ]
    await driver.act({ type: 'pointer', id: 'mouse', actions })
    return (await glance(runIn(place, wasMissed))) !== true
  }
  /** Presses again what moved away under the pointer, as a person would. */
  const click = (wanted: Wanted, place: { isInFrame: boolean }) =>
    expect.poll(() => clickOnce(wanted, place), { message: `press ${wanted.name}` }).toBe(true)
  const type: Walker['type'] = async (keys) => {
    const actions = [...keys].flatMap((value) => [
      { type: 'keyDown' as const, value },
      { type: 'keyUp' as const, value },
    ])
    await driver.act({ type: 'key', id: 'keyboard', actions })
  }
  const path = () => run(() => location.pathname)
  return {
    go: async (to) => {
      await run(() => {
        document.documentElement.dataset['isLeft'] = 'yes'
      })
      await driver.open(new URL(to, siteUrl).href)
      const stateOf = () =>
        document.documentElement.dataset['isLeft'] === 'yes' ? 'left' : document.readyState
      await expect.poll(() => glance(run(stateOf)), { message: to }).toBe('complete')
    },
    path,
    run,
    press: (name, place = inPage) => click({ what: 'control', name }, place),
    fill: async (label, text, place = inPage) => {
      await click({ what: 'field', name: label }, place)
      await type(text)
    },
    type,
    sees: async (words) => {
      const shows = (text: string) => document.body.innerText.includes(text)
      await expect.poll(() => glance(run(shows, words)), { message: words }).toBe(true)
    },
    arrives: (to) => expect.poll(() => glance(path()), { message: to }).toBe(to),
  }
}

function frameCorner(): { x: number; y: number } {
  const { x, y } = document.querySelector('iframe')?.getBoundingClientRect() ?? { x: 0, y: 0 }
  return { x, y }
}
