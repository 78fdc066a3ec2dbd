import { expect } from 'vitest'
import type { Driver } from './engine.ts'
import { locate, wasMissed, type Wanted } from './in-page.ts'

/** The key Escape, as WebDriver writes it. */
export const ESCAPE = '\uE00C'

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

/** A person at a browser: looks, clicks, types and waits. */
export type Walker = ReturnType<typeof createWalker>

/** A person at this browser, on this site. */
export function createWalker(driver: Driver, siteUrl: string) {
  const runIn: <A extends unknown[], R>(
    place: { isInFrame: boolean },
    work: (...args: A) => R | Promise<R>,
    ...args: A
  ) => Promise<R> = async (place, work, ...args) => {
    const call = `(${String(work)})(...${JSON.stringify(args)})`
    const expression = `(async () => JSON.stringify((await ${call}) ?? null))()`
    return JSON.parse(await driver.evaluate(expression, place))
  }
  /** Runs a function in the page; it and its arguments are sent as text. */
  const run = <A extends unknown[], R>(work: (...args: A) => R | Promise<R>, ...args: A) =>
    runIn(inPage, work, ...args)

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
    await driver.click(await find(wanted, place))
    return (await glance(runIn(place, wasMissed))) !== true
  }
  /** Presses again what moved away under the pointer, as a person would. */
  const click = (wanted: Wanted, place: { isInFrame: boolean }) =>
    expect.poll(() => clickOnce(wanted, place), { message: `press ${wanted.name}` }).toBe(true)
  const path = () => run(() => location.pathname)
  return {
    go: async (to: string) => {
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
    press: (name: string, place = inPage) => click({ what: 'control', name }, place),
    fill: async (label: string, text: string, place = inPage) => {
      await click({ what: 'field', name: label }, place)
      await driver.type(text)
    },
    type: driver.type,
    sees: async (words: string) => {
      const shows = (text: string) => document.body.innerText.includes(text)
      await expect.poll(() => glance(run(shows, words)), { message: words }).toBe(true)
    },
    arrives: (to: string) => expect.poll(() => glance(path()), { message: to }).toBe(to),
  }
}

function frameCorner(): { x: number; y: number } {
  const { x, y } = document.querySelector('iframe')?.getBoundingClientRect() ?? { x: 0, y: 0 }
  return { x, y }
}
