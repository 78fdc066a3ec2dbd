import { LaunchError } from '../services/launch-error.ts'
import { formattedFiles } from './formatted.ts'
import { runTool } from './run-tool.ts'
import { say } from './say.ts'

/**
 * Types, lint (with the import arrows), formatting, and the bounds of every input of the API, side by side. Throws a
 * LaunchError naming those that failed.
 */
export async function checkAll(): Promise<void> {
  const checks = {
    types: runTool('astro', [
      'check',
      '--minimumSeverity',
      'error',
      '--minimumFailingSeverity',
      'error',
    ]),
    lint: runTool('eslint', ['.', '--max-warnings', '0']),
    bounds: runTool('vitest', ['run', '--project', 'unit', 'src/contract/bounds.test.ts']),
    format: runTool('prettier', ['--check', '--log-level=warn', formattedFiles]),
  }
  const failed: string[] = []
  for (const [name, run] of Object.entries(checks)) {
    const { code, output } = await run
    say(`${name}: ${code === 0 ? 'fine' : 'failed'}`)
    if (code === 0) continue
    say(output.trimEnd())
    failed.push(name)
  }
  if (failed.length > 0) throw new LaunchError(`Check failed: ${failed.join(', ')}.`)
}
