import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import clips from '../../site/content/clips.json' with { type: 'json' }
import { slip, written } from './drawing.ts'
import { endings, fileName, mostBytes } from './encode.ts'
import { themes } from './film.ts'
import { scenes } from './scenes.ts'
import { sampleRate, soundings, soundTrack } from './sound.ts'

const readClip = (file: string): Buffer =>
  readFileSync(new URL(`../../public/clips/${file}`, import.meta.url))

/** The bytes after a name in a file's header, which is where both film formats keep their facts. */
function after(bytes: Buffer, name: string, encoding: BufferEncoding = 'latin1'): Buffer {
  const at = bytes.indexOf(name, 0, encoding)
  expect(at, name).toBeGreaterThan(-1)
  return bytes.subarray(at + Buffer.byteLength(name, encoding))
}

test('the landing page shows six clips, in the order of the scenes', () => {
  expect(clips.map(({ id }) => id)).toEqual(scenes.map(({ slug }) => slug))
  expect(clips.map(({ title }) => title)).toEqual([
    'AI Interview Assistant',
    'Design Diagrams generated inline',
    'Product Management Interview',
    'Professional Communication',
    'System Design & Architecture',
    'Management Questions',
  ])
})

test.each(scenes)('every film and still of $slug is there and within its budget', ({ slug }) => {
  for (const file of themes.flatMap((theme) => endings.map((ending) => [theme, ending] as const))) {
    const [theme, ending] = file
    const name = fileName(slug, theme, ending)
    expect(readClip(name).length, name).toBeGreaterThan(0)
    expect(readClip(name).length, name).toBeLessThanOrEqual(mostBytes[ending])
  }
})

test.each(scenes)(
  'the MP4 of $slug has picture and sound and starts before it is loaded',
  (scene) => {
    const mp4 = readClip(`${scene.slug}.mp4`)
    expect(mp4.indexOf('moov')).toBeLessThan(mp4.indexOf('mdat'))
    after(mp4, 'avc1')
    after(mp4, 'mp4a')
    const track = after(mp4, 'tkhd')
    expect([track.readUInt32BE(76), track.readUInt32BE(80)]).toEqual([1280 << 16, 800 << 16])
    const movie = after(mp4, 'mvhd')
    const durationMs = (movie.readUInt32BE(16) / movie.readUInt32BE(12)) * 1000
    expect(Math.abs(durationMs - scene.durationMs)).toBeLessThanOrEqual(34)
  },
)

test.each(scenes)(
  'the WebM of $slug has picture and sound and lasts as long as its scene',
  (scene) => {
    const webm = readClip(`${scene.slug}.webm`)
    after(webm, 'V_AV1')
    after(webm, 'A_OPUS')
    const durationMs = after(webm, '448988', 'hex').readDoubleBE()
    expect(Math.abs(durationMs - scene.durationMs)).toBeLessThanOrEqual(34)
  },
)

test.each(scenes)('the stills of $slug have the sizes that the page reserves', ({ slug }) => {
  for (const [file, ...size] of [
    [`${slug}.avif`, 1280, 800],
    [`${slug}-narrow.avif`, 640, 640],
  ] as const) {
    const bytes = after(readClip(file), 'ispe')
    expect([bytes.readUInt32BE(4), bytes.readUInt32BE(8)]).toEqual(size)
  }
})

test.each(scenes)('the captions of $slug follow one another and end with the film', (scene) => {
  const [header, ...cues] = readClip(`${scene.slug}.vtt`).toString('utf8').trimEnd().split('\n\n')
  expect(header).toBe('WEBVTT')
  const times = cues.flatMap((cue) => {
    const [, from, until] = /^00:00:([\d.]{6}) --> 00:00:([\d.]{6})\n.+$/.exec(cue) ?? []
    return [Number(from) * 1000, Number(until) * 1000]
  })
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(-1)).toBeLessThanOrEqual(scene.durationMs)
})

const peak = (samples: Float32Array): number =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

test('the slip and every word are heard when they appear', () => {
  const place = { left: 0, top: 0, width: 9 }
  const content = [written(900, 'Two words')]
  expect(soundings(slip({ ...place, atMs: 300, untilMs: 9000, content }))).toEqual([
    { atMs: 300, kind: 'slip' },
    { atMs: 900, kind: 'key' },
    { atMs: 965, kind: 'key' },
  ])
})

test('a sound is as long as its film, quiet at both ends, and the same each time', () => {
  const [scene] = scenes
  if (scene === undefined) throw new Error('there are no scenes')
  const track = soundTrack(scene)
  expect(track.length).toBe((scene.durationMs / 1000) * sampleRate)
  expect(peak(track)).toBeGreaterThan(0.3)
  expect(peak(track)).toBeLessThan(0.9)
  expect(Math.max(peak(track.subarray(0, 48)), peak(track.subarray(-48)))).toBeLessThan(0.001)
  expect(soundTrack(scene)).toEqual(track)
})
