import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import packedChromium from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { encode, endings } from './encode.ts'
import { filmScene, openScene, photograph } from './film.ts'
import { type Scene, scenes } from './scenes.ts'
import { soundTrack } from './sound.ts'

/** The Chromium at `CHROME_PATH`, else the one that comes as a package. */
async function startChromium(): Promise<Browser> {
  const executablePath = process.env['CHROME_PATH'] ?? (await packedChromium.executablePath())
  const args = ['--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none']
  return chromium.launch({ executablePath, args })
}

/** Writes the two films and two stills of a scene to `target`. */
async function makeClip(browser: Browser, scene: Scene, target: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `${scene.slug}-`))
  const page = await openScene(browser, scene)
  try {
    await filmScene(page, scene, folder)
    await writeFile(join(folder, 'sound.pcm'), new Uint8Array(soundTrack(scene).buffer))
    const { stillAtMs } = scene
    await writeFile(join(folder, 'still.png'), await photograph(page, stillAtMs, 'still'))
    await writeFile(
      join(folder, 'still-small.png'),
      await photograph(page, stillAtMs, 'still small'),
    )
    for (const ending of endings) {
      const { path, bytes } = await encode(folder, ending)
      await copyFile(path, join(target, scene.slug + ending))
      console.log(`${(scene.slug + ending).padEnd(44)}${String(bytes).padStart(8)} bytes`)
    }
  } finally {
    await page.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const publicClips = fileURLToPath(new URL('../../public/clips', import.meta.url))

/** Films the clips that the command line names, or all of them. */
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
  const browser = await startChromium()
  try {
    await mkdir(values.to, { recursive: true })
    for (const scene of scenes) {
      if (positionals.length > 0 && !positionals.includes(scene.slug)) continue
      await makeClip(browser, scene, values.to)
    }
  } catch (failure) {
    console.error(failure instanceof Error ? failure.message : failure)
    process.exitCode = 1
  } finally {
    await browser.close()
  }
}

await clips()
