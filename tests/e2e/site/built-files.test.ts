import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../tools/launcher/settings.ts'

/** Words of the payment emulator and its keys. No deployed file may contain them. */
const LOCAL_ONLY = ['/__emu/', 'EMUkey0', 'emu_key_secret_', 'emu_webhook_secret_', ':8790']

test('no deployed file mentions the payment emulator', async () => {
  const names = await readdir(join(root, 'dist'), { recursive: true })
  const texts = names.filter((name) => /\.(html|js|mjs|json|txt|xml|map)$/.test(name))
  expect(texts.length).toBeGreaterThan(50)
  const found: string[] = []
  for (const name of texts) {
    const text = await readFile(join(root, 'dist', name), 'utf8')
    found.push(...LOCAL_ONLY.filter((word) => text.includes(word)).map((word) => `${name} ${word}`))
  }
  expect(found).toEqual([])
})
