/** A film of the hero, as content/clips.json holds it; its files are /clips/{id}.{webm,mp4,avif,vtt}. */
export interface Clip {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly alt: string
}

/** Milliseconds each film is shown, and how fast it plays; set by the specification. */
export const CLIP_TURN_MS = 20_000
export const PLAYBACK_RATE = 1.25

/** A swipe is longer than this, in CSS pixels, and more sideways than up or down. */
export const SWIPE_PX = 40
