/** A film of the hero, from content/clips.json; its files are /clips/{id}.{webm,mp4,avif,vtt}. */
export interface Clip {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly alt: string
}

/** How many milliseconds each film stays, and how fast it plays; the specification sets both. */
export const CLIP_TURN_MS = 20_000
export const PLAYBACK_RATE = 1.25

/** A swipe is longer than this, in CSS pixels, and more sideways than up or down. */
export const SWIPE_PX = 40
