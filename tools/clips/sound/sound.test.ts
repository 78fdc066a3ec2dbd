import { expect, test } from 'vitest'
import { catalogue } from '../catalogue.ts'
import { line, slip } from '../parts/slip.ts'
import { written } from '../parts/words.ts'
import { soundings } from './moments.ts'
import { soundTrack } from './track.ts'
import { sampleRate } from './voices.ts'
import { toWav } from './wav.ts'

const peak = (samples: Float32Array): number =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

const part = (samples: Float32Array, fromMs: number, untilMs: number): Float32Array =>
  samples.subarray((fromMs / 1000) * sampleRate, (untilMs / 1000) * sampleRate)

test('the slip, every word and every line of code are heard when they come', () => {
  const body =
    written('Two words', 900) + line('<div style="--at:1500ms">if done:</div>', 1440, 'code')
  const place = { left: 0, top: 0, width: 9 }
  expect(soundings(slip({ ...place, atMs: 300, untilMs: 9000, answersAtMs: 800, body }))).toEqual([
    { atMs: 300, kind: 'slip' },
    { atMs: 900, kind: 'key' },
    { atMs: 965, kind: 'key' },
    { atMs: 1500, kind: 'key' },
    { atMs: 1562, kind: 'key' },
  ])
})

test.each(catalogue)(
  'the sound of $slug lasts as long as the film, is heard and has quiet ends',
  (clip) => {
    const track = soundTrack(clip)
    expect(track.length).toBe((clip.durationMs / 1000) * sampleRate)
    expect(peak(track)).toBeGreaterThan(0.3)
    expect(peak(track)).toBeLessThan(0.9)
    const opensMs = soundings(clip.html).find(({ kind }) => kind === 'slip')?.atMs ?? Number.NaN
    expect(peak(part(track, opensMs, opensMs + 400))).toBeGreaterThan(0.1)
    expect(peak(part(track, opensMs - 400, opensMs))).toBeLessThan(0.02)
    expect(Math.max(peak(track.subarray(0, 48)), peak(track.subarray(-48)))).toBeLessThan(0.001)
  },
)

test('the same scene always gives the same sound', () => {
  const html = slip({ left: 0, top: 0, width: 9, atMs: 20, untilMs: 90, answersAtMs: 50, body: '' })
  const scene = { html: html + written('Some words', 50), durationMs: 300 }
  expect(toWav(soundTrack(scene)).equals(toWav(soundTrack(scene)))).toBe(true)
})
