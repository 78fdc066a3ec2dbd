import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../tools/launcher/settings.ts'

/** Words of the payment emulator and its keys, in lower case. */
const LOCAL_ONLY = ['/__emu/', 'emukey0', 'emu_key_secret_', 'emu_webhook_secret_', ':8790']

test('no deployed file contains a key or an address of the payment emulator', async () => {
  expect(await filesWith(LOCAL_ONLY, join(root, 'dist'))).toEqual([])
})

test('no file that a browser loads knows the word emulator', async () => {
  expect(await filesWith(['emulator'], join(root, 'dist/client'))).toEqual([])
})

/** The text files of a folder that contain one of the words, in whatever case, each with the word. */
async function filesWith(words: string[], folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  const texts = names.filter((name) =>
    /\.(html|js|mjs|json|txt|xml|map|svg|webmanifest)$/.test(name),
  )
  expect(texts.length).toBeGreaterThan(50)
  const found: string[] = []
  for (const name of texts) {
    const text = (await readFile(join(folder, name), 'utf8')).toLowerCase()
    found.push(...words.filter((word) => text.includes(word)).map((word) => `${name} ${word}`))
  }
  return found
}
