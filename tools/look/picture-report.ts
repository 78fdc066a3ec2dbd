import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { root } from '../launcher/settings.ts'

/** The share of pixels above which a picture counts as changed: today's date is less, a moved button more. */
const CHANGED = 0.0015

interface Picture {
  name: string
  /** The share of pixels that differ from the last run's picture; null when there is none of that name. */
  difference: number | null
}

/**
 * The pictures of this run in `.look/now`, beside the last ones of the same names in `.look/before`, on the page
 * `.look/index.html`. A whole run forgets pictures that it did not take again.
 */
export function openPictureReport({ isWhole }: { isWhole: boolean }) {
  const folder = (name: string) => join(root, '.look', name)
  rmSync(folder('difference'), { recursive: true, force: true })
  for (const name of ['now', 'before', 'difference']) mkdirSync(folder(name), { recursive: true })
  const pictures: Picture[] = []

  const forgetOthers = () => {
    const taken = new Set(pictures.map(({ name }) => name))
    for (const name of readdirSync(folder('now')).filter((file) => !taken.has(file))) {
      rmSync(join(folder('now'), name))
      rmSync(join(folder('before'), name), { force: true })
    }
  }
  return {
    add: (title: string, bytes: Buffer) => {
      const name = `${title.replaceAll(/[^a-z0-9]+/gi, '-')}.png`
      const [now, before] = [join(folder('now'), name), join(folder('before'), name)]
      if (existsSync(now)) renameSync(now, before)
      writeFileSync(now, bytes)
      const difference = existsSync(before)
        ? compare(readFileSync(before), bytes, join(folder('difference'), name))
        : null
      pictures.push({ name, difference })
    },
    close: () => {
      if (isWhole) forgetOthers()
      pictures.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
      writeFileSync(join(root, '.look/index.html'), pageOf(pictures))
      const changed = pictures.filter(isChanged).length
      console.log(`${pictures.length} pictures, ${changed} changed: .look/index.html`)
    },
  }
}

const isChanged = ({ difference }: Picture) => difference !== null && difference > CHANGED

/** The share of pixels that differ to the eye; a picture of another size differs in all. Draws where they are. */
function compare(before: Buffer, now: Buffer, drawing: string): number {
  if (before.equals(now)) return 0
  const [a, b] = [PNG.sync.read(before), PNG.sync.read(now)]
  if (a.width !== b.width || a.height !== b.height) return 1
  const { width, height } = b
  const difference = new PNG({ width, height })
  const count = pixelmatch(a.data, b.data, difference.data, width, height, { threshold: 0.1 })
  const share = count / (width * height)
  if (share > CHANGED) writeFileSync(drawing, PNG.sync.write(difference, { deflateLevel: 1 }))
  return share
}

function pageOf(pictures: Picture[]): string {
  const sorted = pictures.toSorted((a, b) => (b.difference ?? 0) - (a.difference ?? 0))
  const figures = [...sorted.filter(isChanged), ...pictures.filter((one) => !isChanged(one))]
  const image = (folder: string, name: string) =>
    `<a href="${folder}/${name}"><img loading="lazy" src="${folder}/${name}" alt="${folder}"></a>`
  return `<!doctype html><meta charset="utf-8"><title>Look</title>
<style>body{font:14px system-ui;margin:2rem}main{display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr))}
figure{margin:0}.changed{grid-column:1/-1}.changed a{display:inline-block;width:32%}img{width:100%;border:1px solid #ccc}</style>
<h1>${figures.length} pictures, ${figures.filter(isChanged).length} changed since the last run</h1>
<main>${figures
    .map((one) => {
      // A picture of another size has no drawing of the difference.
      const folders =
        one.difference === 1
          ? ['before', 'now']
          : isChanged(one)
            ? ['before', 'now', 'difference']
            : ['now']
      const images = folders.map((folder) => image(folder, one.name)).join(' ')
      return `<figure class="${isChanged(one) ? 'changed' : ''}"><figcaption>${one.name}</figcaption>${images}</figure>`
    })
    .join('\n')}</main>`
}
