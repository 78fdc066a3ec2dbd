import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs `work` while no other process of this checkout holds the lock file. Takes over the lock of a dead process. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  while (!acquire(file)) await pause(200)
  try {
    return await work()
  } finally {
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
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
