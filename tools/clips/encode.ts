import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { frame, type Theme } from './film.ts'
import { sampleRate } from './sound.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

const run = promisify(execFile)

/** The most bytes that a visitor downloads for one clip, by the part of the file name after the slug. */
export const mostBytes = {
  '.webm': 400_000,
  '.mp4': 400_000,
  '.avif': 24_000,
  '-narrow.avif': 13_000,
} as const
export type Ending = keyof typeof mostBytes
export const endings: readonly Ending[] = ['.webm', '.mp4', '.avif', '-narrow.avif']

/** The file of a clip in one theme. */
export const fileName = (slug: string, theme: Theme, ending: Ending): string =>
  `${slug}${theme === 'dark' ? '-dark' : ''}${ending}`

const film = `-framerate ${String(frame.perSecond)} -i %05d.png
  -f f32le -ar ${String(sampleRate)} -ac 1 -i sound.pcm
  -vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p
  -colorspace bt709 -color_primaries bt709 -color_trc bt709
  -map_metadata -1 -fflags +bitexact -flags:a +bitexact`

/** SSIM keeps the pale edges of the paper, and colours in full size (4:4:4) the lime of the marker. */
const still = (input: string, size: string): string => `-i ${input} -frames:v 1
  -vf scale=${size}:flags=lanczos,scale=out_color_matrix=bt709:out_range=pc,format=yuvj444p
  -colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1
  -c:v libaom-av1 -still-picture 1 -usage allintra -cpu-used 7 -tune ssim`

/** ffmpeg's options for each file without its quality, which is lowered until the budget holds. */
const options = {
  '.webm': `${film} -c:v libaom-av1 -cpu-used 5 -row-mt 1 -b:v 0 -g 300
    -aom-params tune-content=screen
    -c:a libopus -b:a 28k -application audio -cues_to_front 1`,
  '.mp4': `${film} -c:v libx264 -preset veryslow -tune animation -g 300 -c:a aac -b:a 36k
    -movflags +faststart`,
  '.avif': still('still.png', '1280:800'),
  '-narrow.avif': still('still-narrow.png', '640:640'),
} satisfies Record<Ending, string>

/** The best and the worst CRF to try; a higher CRF makes a smaller file. */
const qualities = {
  '.webm': [30, 54],
  '.mp4': [18, 30],
  '.avif': [30, 63],
  '-narrow.avif': [30, 63],
} as const satisfies Record<Ending, readonly [number, number]>

/**
 * Encodes one file of a clip from the pictures and the sound in `folder`, at the best quality that
 * stays within its budget. Returns its path and bytes; throws when the lowest quality is too large.
 */
export async function encode(folder: string, ending: Ending) {
  const path = join(folder, `clip${ending}`)
  const sizeAt = async (crf: number): Promise<number> => {
    await ffmpeg(folder, `${options[ending]} -crf ${String(crf)} clip${ending}`)
    return (await stat(path)).size
  }
  const most = mostBytes[ending]
  let [best, worst]: readonly [number, number] = qualities[ending]
  let bytes = await sizeAt(best)
  if (bytes > most) {
    while (best < worst) {
      const middle = Math.floor((best + worst) / 2)
      if ((await sizeAt(middle)) <= most) worst = middle
      else best = middle + 1
    }
    bytes = await sizeAt(worst)
  }
  if (bytes <= most) return { path, bytes }
  throw new Error(`${ending} stays above ${String(most)} bytes. Draw a calmer scene.`)
}

async function ffmpeg(folder: string, args: string): Promise<void> {
  const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y']
  try {
    await run('ffmpeg', [...quiet, ...args.split(/\s+/)], { cwd: folder })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw new LaunchError(
        'The films need ffmpeg. Install it (apt install ffmpeg, brew install ffmpeg), then run the same again.',
      )
    }
    throw new Error('ffmpeg failed. Does it have AV1, H.264, AAC and Opus?', { cause })
  }
}
