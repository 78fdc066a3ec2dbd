import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from '../../tests/harness/find-browser.ts'
import { encode, endings, fileName } from './encode.ts'
import { filmScene, openScene, photograph, type Theme, themes } from './film.ts'
import { type Scene, scenes } from './scenes.ts'
import { soundTrack } from './sound.ts'

const publicClips = fileURLToPath(new URL('../../public/clips', import.meta.url))

/** Writes the two films and two stills of a scene in one theme. */
async function makeClip(browser: Browser, scene: Scene, theme: Theme) {
  const folder = await mkdtemp(join(tmpdir(), `${scene.slug}-`))
  const page = await openScene(browser, scene, theme)
  try {
    await filmScene(page, scene, folder)
    await writeFile(join(folder, 'sound.pcm'), new Uint8Array(soundTrack(scene).buffer))
    await writeFile(join(folder, 'still.png'), await photograph(page, scene, false))
    // One for browsers without AVIF.
    if (theme === 'light')
      await page.screenshot({ path: join(publicClips, `${scene.slug}.jpg`), quality: 60 })
    await writeFile(join(folder, 'still-narrow.png'), await photograph(page, scene, true))
    for (const ending of endings) {
      const { path, bytes } = await encode(folder, ending)
      const file = fileName(scene.slug, theme, ending)
      await copyFile(path, join(publicClips, file))
      console.log(`${file.padEnd(48)}${String(bytes).padStart(8)} bytes`)
    }
  } finally {
    await page.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Films all clips into `public/clips`. Throws without ffmpeg. */
export async function makeClips(): Promise<void> {
  const browser = await chromium.launch(await findBrowser())
  try {
    await mkdir(publicClips, { recursive: true })
    for (const scene of scenes) {
      for (const theme of themes) await makeClip(browser, scene, theme)
    }
  } finally {
    await browser.close()
  }
}
