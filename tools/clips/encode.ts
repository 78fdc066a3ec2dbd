import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { frame } from './budget.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

const toBt709 = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'
const taggedBt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709']

/** Settings without the quality, which is lowered step by step until the budget holds. */
const codecs = {
  '.webm': {
    args: ['-c:v', 'libsvtav1', '-preset', '4', '-g', '300', '-svtav1-params', 'scm=1'],
    qualities: [30, 34, 38, 42, 46, 50, 54],
  },
  '.mp4': {
    args: [
      '-c:v',
      'libx264',
      '-preset',
      'veryslow',
      '-tune',
      'animation',
      '-movflags',
      '+faststart',
    ],
    qualities: [18, 20, 22, 24, 26, 28, 30],
  },
} as const

/** Film formats, best first for a browser to try. */
export const formats = ['.webm', '.mp4'] as const
export type Format = (typeof formats)[number]

/**
 * Encodes the numbered frames of `folder` at the best quality that stays within `mostBytes`.
 * Answers the size in bytes; throws when even the lowest quality is too large.
 */
export async function encodeFilm(
  folder: string,
  format: Format,
  mostBytes: number,
  target: string,
): Promise<number> {
  const { args, qualities } = codecs[format]
  const source = ['-framerate', String(frame.perSecond), '-i', join(folder, '%05d.png')]
  for (const quality of qualities) {
    const filter = ['-vf', toBt709, ...taggedBt709, '-an']
    await runFfmpeg([...source, ...filter, ...args, '-crf', String(quality), target])
    const { size } = await stat(target)
    if (size <= mostBytes) return size
  }
  throw new Error(`${target} stays above ${String(mostBytes)} bytes. Let less move in its scene.`)
}
