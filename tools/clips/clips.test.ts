import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endings, fileName, mostBytes } from './encode.ts'
import { themes } from './film.ts'
import { scenes } from './scenes.ts'

const readClip = (file: string): Buffer =>
  readFileSync(new URL(`../../public/clips/${file}`, import.meta.url))

/** The bytes after a name in a file's header, which is where both film formats keep their facts. */
function after(bytes: Buffer, name: string, encoding: BufferEncoding = 'latin1'): Buffer {
  const at = bytes.indexOf(name, 0, encoding)
  expect(at, name).toBeGreaterThan(-1)
  return bytes.subarray(at + Buffer.byteLength(name, encoding))
}

test.each(scenes)('every film and still of $slug is there and within its budget', ({ slug }) => {
  for (const file of themes.flatMap((theme) => endings.map((ending) => [theme, ending] as const))) {
    const [theme, ending] = file
    const name = fileName(slug, theme, ending)
    const bytes = readClip(name)
    expect(bytes.length, name).toBeGreaterThan(0)
    expect(bytes.length, name).toBeLessThanOrEqual(mostBytes[ending])
    // An MP4 starts before all of it is loaded.
    if (ending === '.mp4') expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  }
  expect(readClip(`${slug}.jpg`).length).toBeLessThanOrEqual(80_000)
})

test.each(scenes)('the stills of $slug have the sizes that the page reserves', ({ slug }) => {
  for (const [file, ...size] of [
    [`${slug}.avif`, 1280, 800],
    [`${slug}-narrow.avif`, 640, 640],
  ] as const) {
    const bytes = after(readClip(file), 'ispe')
    expect([bytes.readUInt32BE(4), bytes.readUInt32BE(8)]).toEqual(size)
  }
})

test.each(scenes)(
  'a caption of $slug is two lines on a phone, so that it covers no answer',
  ({ slug }) => {
    const cues = readClip(`${slug}.vtt`).toString().trim().split('\n\n').slice(1)
    expect(cues.length).toBeGreaterThan(2)
    for (const cue of cues) {
      const [time = '', ...lines] = cue.split('\n')
      expect(time).toMatch(/ line:0$/)
      expect(lines.join(' ').length, cue).toBeLessThanOrEqual(72)
    }
  },
)
