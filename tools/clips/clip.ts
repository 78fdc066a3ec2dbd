/** One caption of the track: what happens on screen, from and until a moment of the film. */
export interface Cue {
  fromMs: number
  untilMs: number
  text: string
}

/** One film: a scene drawn in HTML whose every movement is tied to a moment. */
export interface Clip {
  /** File name under public/clips. */
  slug: string
  /** The title the landing page shows. */
  title: string
  durationMs: number
  /** The moment that tells most of the story, taken as the still. */
  posterAtMs: number
  cues: readonly Cue[]
  /** Markup of the stage. Moving elements carry their moment as `--at` and `--until`. */
  html: string
}
