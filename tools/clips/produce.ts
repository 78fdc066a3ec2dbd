import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { frame, mostBytes, smallPoster } from './budget.ts'
import { toWebVtt } from './captions.ts'
import type { Clip } from './clip.ts'
import { encodeFilm, formats } from './encode.ts'
import { filmScene, openScene, photograph } from './film.ts'
import { encodePoster } from './poster.ts'
import { addSound, encodeSound } from './sound/add-sound.ts'

export interface Produced {
  file: string
  bytes: number
}

const stills = [
  { ending: '.avif', look: 'still', ...frame },
  { ending: '-640.avif', look: 'still small', ...smallPoster },
] as const

/** Photographs the telling moment of one clip and writes its two stills into `folder`. */
export async function produceStills(browser: Browser, clip: Clip, folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), `${clip.slug}-still-`))
  const page = await openScene(browser, clip)
  try {
    for (const { ending, look, width, height } of stills) {
      const picture = join(work, 'still.png')
      await writeFile(picture, await photograph(page, clip.posterAtMs, look))
      const target = join(folder, clip.slug + ending)
      await encodePoster({ picture, width, height, mostBytes: mostBytes[ending], target })
    }
  } finally {
    await page.close()
    await rm(work, { recursive: true, force: true })
  }
}

/** Gives the films of one clip their sound anew, with their pictures left as they are. */
export async function produceSound(clip: Clip, folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), `${clip.slug}-sound-`))
  try {
    for (const format of formats) {
      const sound = await encodeSound(clip, format, work)
      await addSound(join(folder, clip.slug + format), sound.path, format)
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function produceFilms(browser: Browser, clip: Clip, folder: string): Promise<void> {
  const frames = await mkdtemp(join(tmpdir(), `${clip.slug}-`))
  const page = await openScene(browser, clip)
  try {
    await filmScene(page, clip, frames)
    for (const format of formats) {
      const target = join(folder, clip.slug + format)
      const sound = await encodeSound(clip, format, frames)
      await encodeFilm(frames, format, mostBytes[format] - sound.bytes, target)
      await addSound(target, sound.path, format)
    }
  } finally {
    await page.close()
    await rm(frames, { recursive: true, force: true })
  }
}

async function weigh(clip: Clip, folder: string): Promise<Produced[]> {
  return Promise.all(
    Object.keys(mostBytes).map(async (ending) => {
      const file = clip.slug + ending
      const { size } = await stat(join(folder, file))
      return { file, bytes: size }
    }),
  )
}

/** Films one clip, writes its five files into `folder` and answers how large they are. */
export async function produce(browser: Browser, clip: Clip, folder: string): Promise<Produced[]> {
  await produceFilms(browser, clip, folder)
  await produceStills(browser, clip, folder)
  await writeFile(join(folder, `${clip.slug}.vtt`), toWebVtt(clip.cues))
  return weigh(clip, folder)
}
