/** Samples of one second: what Opus works in, so that nothing is resampled. */
export const sampleRate = 48_000

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const turn = 2 * Math.PI

/** A voice of `lengthMs`, drawn sample by sample from the seconds since it began. */
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
export function key(random: () => number): Float32Array {
  const noise = darkNoise(random, 0.3)
  const pitch = 190 + random() * 70
  const strength = 0.75 + random() * 0.25
  return draw(60, (s) => {
    const rise = Math.min(1, s / 0.001)
    const knock = 0.5 * Math.sin(turn * pitch * s) * Math.exp(-s / 0.016)
    return strength * rise * (knock + 0.9 * noise() * Math.exp(-s / 0.006))
  })
}

/** A pen drawn over paper: noise that swells and goes. */
export function stroke(random: () => number): Float32Array {
  const noise = darkNoise(random, 0.16)
  return draw(240, (s) => 0.75 * noise() * Math.sin((Math.PI * s) / 0.24) ** 2)
}

function note(hertz: number, seconds: number): number {
  if (seconds < 0) return 0
  const rise = Math.min(1, seconds / 0.014)
  const tone = Math.sin(turn * hertz * seconds) + 0.12 * Math.sin(turn * 2 * hertz * seconds)
  return rise * tone * Math.exp(-seconds / 0.26)
}

/** The slip opening: two soft notes, a fourth apart, the second while the first still rings. */
export function slipOpens(): Float32Array {
  return draw(1500, (s) => 0.3 * (note(523.25, s) + note(698.46, s - 0.15)))
}

/** The room itself, so low that it is only missed when it stops. */
export function room(lengthMs: number, random: () => number): Float32Array {
  const noise = darkNoise(random, 0.03)
  return draw(lengthMs, () => 0.02 * noise())
}
