/** What a film's own header says of it. */
export interface FilmFacts {
  width: number
  height: number
  durationMs: number
  /** The four-letter or `V_` name of the codec. */
  codec: string
  /** The codec of every track, the pictures' and the sound's, in the file's order. */
  tracks: string[]
}
