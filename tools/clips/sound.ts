import type { Scene } from './scenes.ts'

/** Samples in one second, as Opus uses internally, so that nothing is resampled. */
export const sampleRate = 48_000

/** An event of a film that makes a sound: a key, a stroke of the pen, or the overlay as it opens. */
interface Sounding {
  atMs: number
  kind: 'key' | 'stroke' | 'overlay'
}

const kinds = { overlay: 'overlay', word: 'key', box: 'stroke', draw: 'stroke' } as const
const moving = /class="([^"]*)"[^>]*?--at:(\d+)ms/g

/** The sounds of a scene and their times, read from the scene's markup. */
export function soundings(html: string): Sounding[] {
  const found = [...html.matchAll(moving)].flatMap(([, names = '', atMs]) =>
    Object.entries(kinds)
      .filter(([name]) => names.split(/\s+/).includes(name))
      .map(([, kind]) => ({ atMs: Number(atMs), kind })),
  )
  return found.toSorted((a, b) => a.atMs - b.atMs)
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const turn = 2 * Math.PI

/** A sound of `lengthMs`, drawn sample by sample from the seconds since it began. */
function draw(lengthMs: number, at: (seconds: number) => number): Float32Array {
  const samples = Math.round((lengthMs / 1000) * sampleRate)
  return Float32Array.from({ length: samples }, (_, index) => at(index / sampleRate))
}

/** Noise without its highest part; the smaller `openness`, the darker. */
function darkNoise(random: () => number, openness: number): () => number {
  let held = 0
  return () => (held += openness * (random() * 2 - 1 - held))
}

/** A key going down: a short breath of noise over a small low knock, never twice alike. */
function key(random: () => number): Float32Array {
  const noise = darkNoise(random, 0.3)
  const pitch = 190 + random() * 70
  const strength = 0.75 + random() * 0.25
  return draw(60, (s) => {
    const rise = Math.min(1, s / 0.001)
    const knock = 0.5 * Math.sin(turn * pitch * s) * Math.exp(-s / 0.016)
    return strength * rise * (knock + 0.9 * noise() * Math.exp(-s / 0.006))
  })
}

/** A pen drawn over paper: noise that swells and fades. */
function stroke(random: () => number): Float32Array {
  const noise = darkNoise(random, 0.16)
  return draw(240, (s) => 0.75 * noise() * Math.sin((Math.PI * s) / 0.24) ** 2)
}

function note(hertz: number, seconds: number): number {
  if (seconds < 0) return 0
  const rise = Math.min(1, seconds / 0.014)
  const tone = Math.sin(turn * hertz * seconds) + 0.12 * Math.sin(turn * 2 * hertz * seconds)
  return rise * tone * Math.exp(-seconds / 0.26)
}

/** The overlay opening: two soft notes, a fourth apart, the second while the first still rings. */
const overlayOpens = (): Float32Array =>
  draw(1500, (s) => 0.3 * (note(523.25, s) + note(698.46, s - 0.15)))

const voices = { key, stroke, overlay: overlayOpens }

/** Sets the films at about -24 LUFS, a quiet voice's loudness, with their peaks well below 1. */
const loudness = 0.72

/** Both ends fade to silence over this long, so that the loop has no click. */
const fadeMs = 120

/**
 * The sound of a film as samples from -1 to 1, exactly as long as the film. The same scene always
 * gives the same samples.
 */
export function soundTrack({ html, durationMs }: Pick<Scene, 'html' | 'durationMs'>): Float32Array {
  const random = seeded(durationMs)
  const roomTone = darkNoise(random, 0.03)
  const track = draw(durationMs, () => 0.02 * roomTone())
  for (const { atMs, kind } of soundings(html)) {
    const from = Math.round((atMs / 1000) * sampleRate)
    voices[kind](random).forEach((sample, index) => {
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
