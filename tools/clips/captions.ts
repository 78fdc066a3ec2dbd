import type { Cue } from './clip.ts'

/** A moment as WebVTT writes it: `00:00:04.200`. */
export function vttTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 23)
}

/** The captions track of a clip (https://www.w3.org/TR/webvtt1/). */
export function toWebVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(
    ({ fromMs, untilMs, text }) => `${vttTime(fromMs)} --> ${vttTime(untilMs)}\n${text}\n`,
  )
  return ['WEBVTT\n', ...blocks].join('\n')
}
