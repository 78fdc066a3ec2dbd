import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs the system's ffmpeg and fails with the last words it said. */
export async function runFfmpeg(args: readonly string[]): Promise<void> {
  try {
    await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args])
  } catch (cause) {
    throw new Error('ffmpeg could not do its part. Is it installed, with AV1 and H.264?', { cause })
  }
}
