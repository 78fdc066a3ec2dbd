import type { Clip } from '../clip.ts'
import { type Sounding, soundings } from './moments.ts'
import { key, room, sampleRate, seeded, slipOpens, stroke } from './voices.ts'

/** Sets the films at about -24 LUFS, a quiet voice's loudness, with their peaks well below 1. */
const loudness = 0.72

/** Both ends go to nothing over this long, so that a loop has no click. */
const fadeMs = 120

function voiceOf(kind: Sounding['kind'], random: () => number): Float32Array {
  if (kind === 'slip') return slipOpens()
  return kind === 'key' ? key(random) : stroke(random)
}

/**
 * The sound of a film as samples from -1 to 1, exactly as long as the film. The same scene always
 * gives the same samples.
 */
export function soundTrack({ html, durationMs }: Pick<Clip, 'html' | 'durationMs'>): Float32Array {
  const random = seeded(durationMs)
  const track = room(durationMs, random)
  for (const { atMs, kind } of soundings(html)) {
    const from = Math.round((atMs / 1000) * sampleRate)
    const voice = voiceOf(kind, random)
    voice.forEach((sample, index) => {
      const under = track[from + index]
      if (under !== undefined) track[from + index] = under + sample
    })
  }
  const fade = (fadeMs / 1000) * sampleRate
  return track.map((sample, index) => {
    const inside = Math.min(1, index / fade, (track.length - 1 - index) / fade)
    return sample * inside * loudness
  })
}
