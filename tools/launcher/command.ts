import { LaunchError } from '../services/launch-error.ts'

/** Runs a command's body; a LaunchError ends it with its one line, anything else with the whole stack. */
export async function command(body: () => Promise<void>): Promise<void> {
  try {
    await body()
  } catch (error) {
    console.error(error instanceof LaunchError ? error.message : error)
    process.exitCode = 1
  }
}
