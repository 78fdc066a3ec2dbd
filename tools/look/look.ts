import type { Page } from 'playwright-core'
import { openPage } from '../../tests/harness/open-page.ts'
import { openSettled } from '../../tests/e2e/site/settled.ts'
import { FAILED, REJECTED } from '../../tests/e2e/support/console-errors.ts'
import { signInBrowser } from '../../tests/e2e/support/user.ts'
import type { Screen, Viewer } from '../../tests/e2e/support/screens.ts'
import { openPictureReport } from './picture-report.ts'
import { everyViewer } from './viewers.ts'

const SIZES = [
  { width: 360, height: 780 },
  { width: 768, height: 1024 },
  { width: 1280, height: 900 },
  { width: 1920, height: 1080 },
]
const THEMES = ['light', 'dark'] as const

/** How many windows are open at once: while one waits for the server, others draw. */
const WINDOWS = 4

/**
 * Takes a picture of every page and state in both themes and at four widths, for people to look at; of those alone that the
 * words name, by viewer or by path. Returns what failed, one line each.
 */
export async function takePictures(words: readonly string[]): Promise<string[]> {
  const report = openPictureReport({ isWhole: words.length === 0 })
  const viewers = await everyViewer()
  const tasks = viewers.flatMap(tasksOf).filter((task) => isWanted(task, words))
  const failed = tasks.length === 0 ? [`No screen is named ${words.join(' or ')}.`] : []
  const work = async () => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const { title } = task
      await photograph(task, report.add).catch((error: unknown) => {
        failed.push(`${title}: ${String(error)}`)
      })
    }
  }
  await Promise.all(Array.from({ length: WINDOWS }, work))
  report.close()
  return failed
}

interface Task {
  viewer: Viewer
  screen: Screen
  /** The name of its pictures, the same in each run. */
  title: string
}

function tasksOf(viewer: Viewer): Task[] {
  const seen = new Map<string, number>()
  return viewer.screens.map((screen) => {
    const name = `${viewer.who} ${screen.path.replace(/[?].*|\/[\w-]{20,}$/, '')}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { viewer, screen, title: count === 1 ? name : `${name} ${String(count)}` }
  })
}

function isWanted({ viewer: { who }, screen: { path } }: Task, words: readonly string[]): boolean {
  const [page = ''] = path.split('?')
  const isOf = (word: string) => word === who || page === word || page.startsWith(`${word}/`)
  return words.length === 0 || words.some(isOf)
}

async function photograph(
  { viewer, screen, title }: Task,
  add: (title: string, picture: Buffer) => void,
): Promise<void> {
  const mayLog = new RegExp(`${REJECTED.source}|${FAILED.source}`)
  const { page, context } = await openPage({ reducedMotion: 'reduce', mayLog })
  if (viewer.token !== undefined) await signInBrowser(page, viewer.token)
  await viewer.enter?.(page)
  await openSettled(page, screen.path)
  await page.getByRole('heading', { name: screen.heading }).first().waitFor()
  await screen.open?.(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(prepare)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      add(`${title} ${String(size.width)} ${colorScheme}`, await takePicture(page))
    }
  }
  await context.close()
}

/** The whole page; of an open dialog, the window. */
async function takePicture(page: Page): Promise<Buffer> {
  const hasDialog = (await page.locator('dialog[open]').count()) > 0
  return page.screenshot({ fullPage: !hasDialog, animations: 'disabled' })
}

/**
 * Runs in the page: takes the room of the scrollbar away, loads the images below the first screen, and hides names and
 * numbers that differ in each run.
 */
async function prepare(): Promise<void> {
  // A picture of the whole page has no scrollbar, and would show an empty strip where one has its room.
  document.documentElement.style.scrollbarGutter = 'auto'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    node.nodeValue =
      node.nodeValue?.replaceAll(
        /\b(?:[mp]_[0-9a-z]+|R-\d+-?\d*|(?:usr|pur|pay)_\w+)/g,
        'someone',
      ) ?? null
  }
  const images = [...document.images]
  for (const image of images) image.loading = 'eager'
  await Promise.all(images.map((image) => image.decode().catch(() => undefined)))
}
