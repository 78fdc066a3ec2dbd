import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { catalogue } from './catalogue.ts'
import { startChromium } from './chromium.ts'
import { produce, produceSound, produceStills } from './produce.ts'
import { contactSheet } from './sheet.ts'

const clipsFolder = fileURLToPath(new URL('../../public/clips', import.meta.url))
const sheetFolder = fileURLToPath(new URL('../../.data/clip-sheets', import.meta.url))
const sheetShots = 12

/** `npm run clips`: films the clips named, or all of them. */
export async function clips(args: string[]): Promise<void> {
  const { values: wants, positionals: slugs } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sheet: { type: 'boolean' },
      sound: { type: 'boolean' },
      stills: { type: 'boolean' },
    },
  })

  const unknown = slugs.filter((slug) => !catalogue.some((clip) => clip.slug === slug))
  if (unknown.length > 0) {
    const known = catalogue.map(({ slug }) => slug).join(', ')
    console.error(`No such clip: ${unknown.join(', ')}. There are: ${known}.`)
    process.exit(1)
  }

  const chosen =
    slugs.length === 0 ? catalogue : catalogue.filter(({ slug }) => slugs.includes(slug))
  const browser = await startChromium(process.env['CHROME_PATH'])
  try {
    await mkdir(clipsFolder, { recursive: true })
    for (const clip of chosen) {
      if (wants.sheet) {
        await contactSheet(browser, clip, sheetFolder, sheetShots)
        console.log(`${clip.slug}: ${sheetFolder}`)
      } else if (wants.stills) {
        await produceStills(browser, clip, clipsFolder)
        console.log(`${clip.slug}: stills`)
      } else if (wants.sound) {
        await produceSound(clip, clipsFolder)
        console.log(`${clip.slug}: sound`)
      } else {
        for (const { file, bytes } of await produce(browser, clip, clipsFolder)) {
          console.log(`${file.padEnd(44)}${String(bytes).padStart(8)} bytes`)
        }
      }
    }
  } catch (failure) {
    console.error(failure instanceof Error ? failure.message : failure)
    process.exitCode = 1
  } finally {
    await browser.close()
  }
}
