import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clip } from '../clip.ts'
import type { Format } from '../encode.ts'
import { runFfmpeg } from '../run-ffmpeg.ts'
import { soundTrack } from './track.ts'
import { toWav } from './wav.ts'

/** One voice needs little; AAC takes more than Opus for the same. */
const codecs = {
  '.webm': ['-c:a', 'libopus', '-b:a', '28k', '-application', 'audio'],
  '.mp4': ['-c:a', 'aac', '-b:a', '36k'],
} as const satisfies Record<Format, readonly string[]>

/** The same film is the same file, whenever and by whichever ffmpeg it is put together. */
const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact']

/** Writes the sound of a clip, encoded for `format`, into `folder`; answers its path and bytes. */
export async function encodeSound(
  clip: Clip,
  format: Format,
  folder: string,
): Promise<{ path: string; bytes: number }> {
  const wav = join(folder, `${clip.slug}.wav`)
  await writeFile(wav, toWav(soundTrack(clip)))
  const path = join(folder, `${clip.slug}-sound${format}`)
  await runFfmpeg(['-i', wav, ...plain, ...codecs[format], path])
  return { path, bytes: (await stat(path)).size }
}

/** Puts a sound under a film in place of the one it has. Its pictures are copied as they are. */
export async function addSound(film: string, sound: string, format: Format): Promise<void> {
  const joined = film.replace(format, `.joined${format}`)
  const tracks = ['-i', film, '-i', sound, '-map', '0:v:0', '-map', '1:a:0', '-c', 'copy']
  try {
    await runFfmpeg([...tracks, ...plain, '-movflags', '+faststart', joined])
    await rename(joined, film)
  } finally {
    await rm(joined, { force: true })
  }
}
