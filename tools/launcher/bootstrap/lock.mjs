import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The files that this process holds. */
const held = new Set()

/**
 * Runs `work` while nobody else of this checkout holds the lock file, and says when it has to wait. Takes over the lock of a
 * dead process.
 */
export async function withLock(file, work, say = console.error, pauseMs = 200) {
  mkdirSync(dirname(file), { recursive: true })
  for (let tries = 1; !acquire(file); tries += 1) {
    if (tries === 5)
      say(
        `Waiting for the process that ${file} names … If that is another program, delete the file.`,
      )
    await pause(pauseMs)
  }
  held.add(file)
  try {
    return await work()
  } finally {
    held.delete(file)
    rmSync(file, { force: true })
  }
}

/** A link appears whole or not at all, so nobody reads a lock without its holder. */
function acquire(file) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, String(process.pid))
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!holderLives(file)) rmSync(file, { force: true })
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

function holderLives(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'))
    // In a container each start gets the same ids: the holder was an earlier process with ours.
    if (holder === process.pid) return held.has(file)
    process.kill(holder, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
