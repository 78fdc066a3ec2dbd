import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { duration, frame, mostBytes, smallPoster } from './budget.ts'
import { toWebVtt } from './captions.ts'
import { catalogue } from './catalogue.ts'
import { readAvif, readBoxes, readMp4 } from './media/read-boxes.ts'
import { readWebm } from './media/read-webm.ts'

const frameMs = 1000 / frame.perSecond
const readClip = (file: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../public/clips/${file}`, import.meta.url)))

test('the six clips bear the titles of the landing page, in its order', () => {
  expect(catalogue.map(({ title }) => title)).toEqual([
    'AI Interview Assistant',
    'Design Diagrams generated inline',
    'Product Management Interview',
    'Professional Communication',
    'System Design & Architecture',
    'Management Questions',
  ])
})

test.each(catalogue)('every file of $slug is there and within its budget', ({ slug }) => {
  for (const [ending, most] of Object.entries(mostBytes)) {
    const { length } = readClip(slug + ending)
    expect(length, slug + ending).toBeGreaterThan(0)
    expect(length, slug + ending).toBeLessThanOrEqual(most)
  }
})

test.each(catalogue)('both films of $slug are as large and as long as the scene', (clip) => {
  expect(clip.durationMs).toBeGreaterThanOrEqual(duration.leastMs)
  expect(clip.durationMs).toBeLessThanOrEqual(duration.mostMs)
  const webm = readWebm(readClip(`${clip.slug}.webm`))
  const mp4 = readMp4(readClip(`${clip.slug}.mp4`))
  expect(webm).toMatchObject({ width: frame.width, height: frame.height, codec: 'V_AV1' })
  expect(mp4).toMatchObject({ width: frame.width, height: frame.height, codec: 'avc1' })
  for (const { durationMs } of [webm, mp4]) {
    expect(Math.abs(durationMs - clip.durationMs)).toBeLessThanOrEqual(frameMs)
  }
})

test.each(catalogue)(
  'both films of $slug have one track of sound beside the pictures',
  ({ slug }) => {
    expect(readWebm(readClip(`${slug}.webm`)).tracks).toEqual(['V_AV1', 'A_OPUS'])
    expect(readMp4(readClip(`${slug}.mp4`)).tracks).toEqual(['avc1', 'mp4a'])
  },
)

test.each(catalogue)('the MP4 of $slug can begin before it is loaded whole', ({ slug }) => {
  const names = readBoxes(readClip(`${slug}.mp4`)).map(([name]) => name)
  expect(names.indexOf('moov')).toBeGreaterThan(-1)
  expect(names.indexOf('moov')).toBeLessThan(names.indexOf('mdat'))
})

test.each(catalogue)('the stills of $slug have the sizes the page reserves', ({ slug }) => {
  expect(readAvif(readClip(`${slug}.avif`))).toEqual({ width: frame.width, height: frame.height })
  expect(readAvif(readClip(`${slug}-640.avif`))).toEqual(smallPoster)
})

test.each(catalogue)('the captions of $slug follow one another to the end', (clip) => {
  let endedMs = 0
  for (const { fromMs, untilMs, text } of clip.cues) {
    expect(fromMs).toBeGreaterThanOrEqual(endedMs)
    expect(untilMs).toBeGreaterThan(fromMs)
    expect(text).not.toMatch(/\n|-->/)
    endedMs = untilMs
  }
  expect(endedMs).toBeLessThanOrEqual(clip.durationMs)
  expect(readClip(`${clip.slug}.vtt`).toString('utf8')).toBe(toWebVtt(clip.cues))
})

test('a captions track is written as WebVTT wants it', () => {
  expect(toWebVtt([{ fromMs: 0, untilMs: 61_250, text: 'A call.' }])).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:01:01.250\nA call.\n',
  )
})
