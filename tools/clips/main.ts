import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from '../../tests/harness/find-browser.ts'
import { encode, endings, fileName } from './encode.ts'
import { filmScene, openScene, photograph, type Theme, themes } from './film.ts'
import { type Scene, scenes } from './scenes.ts'
import { soundTrack } from './sound.ts'

/** Writes the two films and two stills of a scene in one theme to `target`. */
async function makeClip(browser: Browser, scene: Scene, theme: Theme, target: string) {
  const folder = await mkdtemp(join(tmpdir(), `${scene.slug}-`))
  const page = await openScene(browser, scene, theme)
  try {
    await filmScene(page, scene, folder)
    await writeFile(join(folder, 'sound.pcm'), new Uint8Array(soundTrack(scene).buffer))
    await writeFile(join(folder, 'still.png'), await photograph(page, scene, false))
    await writeFile(join(folder, 'still-narrow.png'), await photograph(page, scene, true))
    for (const ending of endings) {
      const { path, bytes } = await encode(folder, ending)
      const file = fileName(scene.slug, theme, ending)
      await copyFile(path, join(target, file))
      console.log(`${file.padEnd(48)}${String(bytes).padStart(8)} bytes`)
    }
  } finally {
    await page.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const publicClips = fileURLToPath(new URL('../../public/clips', import.meta.url))

/** Films the clips of these names, or all of them, into a folder. Throws without ffmpeg. */
export async function makeClips(
  slugs: readonly string[] = [],
  target = publicClips,
): Promise<void> {
  const browser = await chromium.launch(await findBrowser())
  try {
    await mkdir(target, { recursive: true })
    for (const scene of scenes) {
      if (slugs.length > 0 && !slugs.includes(scene.slug)) continue
      for (const theme of themes) await makeClip(browser, scene, theme, target)
    }
  } finally {
    await browser.close()
  }
}

async function clips(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string', default: publicClips } },
  })
  const unknown = positionals.find((wanted) => !scenes.some(({ slug }) => slug === wanted))
  if (unknown !== undefined) {
    const known = scenes.map(({ slug }) => slug).join(', ')
    console.error(`There is no clip ${unknown}. There are: ${known}.`)
    process.exit(1)
  }
  try {
    await makeClips(positionals, values.to)
  } catch (failure) {
    console.error(failure instanceof Error ? failure.message : failure)
    process.exitCode = 1
  }
}

if (import.meta.main) await clips()
