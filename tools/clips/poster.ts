import { stat } from 'node:fs/promises'
import { runFfmpeg } from './run-ffmpeg.ts'

const finest = 30
const coarsest = 63

/** The encoder's own scale: slower finds a smaller file. Searching is done at the quicker one. */
const quickSpeed = 6
const finalSpeed = 1

/** A file of the final speed is about this share of one of the quick speed. */
const finalSaving = 0.94

interface Poster {
  /** A PNG of the moment to show. */
  picture: string
  width: number
  height: number
  mostBytes: number
  target: string
}

/** One AVIF still; answers its bytes. Tuned to SSIM, which keeps the paper's pale edges. */
async function encodeAt(quality: number, poster: Poster, speed = quickSpeed): Promise<number> {
  const size = `scale=${String(poster.width)}:${String(poster.height)}:flags=lanczos`
  const colour = 'scale=out_color_matrix=bt709:out_range=pc,format=yuvj420p'
  await runFfmpeg([
    ...['-i', poster.picture, '-vf', `${size},${colour}`, '-frames:v', '1'],
    ...[
      '-c:v',
      'libaom-av1',
      '-still-picture',
      '1',
      '-usage',
      'allintra',
      '-cpu-used',
      String(speed),
    ],
    ...['-tune', 'ssim', '-crf', String(quality)],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'iec61966-2-1'],
    poster.target,
  ])
  return (await stat(poster.target)).size
}

/** Writes an AVIF still at the best quality that stays within its budget; answers its bytes. */
export async function encodePoster(poster: Poster): Promise<number> {
  let fits = coarsest
  let tooLarge = finest - 1
  while (fits - tooLarge > 1) {
    const quality = Math.floor((fits + tooLarge) / 2)
    const bytes = await encodeAt(quality, poster)
    if (bytes * finalSaving <= poster.mostBytes) fits = quality
    else tooLarge = quality
  }
  for (let quality = fits; quality <= coarsest; quality += 1) {
    const bytes = await encodeAt(quality, poster, finalSpeed)
    if (bytes <= poster.mostBytes) return bytes
  }
  throw new Error(`${poster.target} stays above its budget. Draw a calmer still.`)
}
