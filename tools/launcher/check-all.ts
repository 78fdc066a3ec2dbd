import { LaunchError } from '../services/launch-error.ts'
import { formattedFiles } from './formatted.ts'
import { runTool, type ToolRun } from './run-tool.ts'
import { say } from './say.ts'

/**
 * Types, lint (with the import arrows), formatting, and the bounds of every input of the API, side by side. Throws a
 * LaunchError naming those that failed.
 *
 * @param declared what the types wait for: the declarations of what Astro makes, which a build writes down too
 */
export async function checkAll(declared: Promise<unknown> = declareTypes()): Promise<void> {
  const checks = {
    types: checkTypes(declared),
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

/** Writes down the types of what Astro makes: content, and what integrations bring along. */
export function declareTypes(): Promise<ToolRun> {
  return runTool('astro', ['sync'])
}

/** Astro's own check is slow with files that are not pages, and TypeScript's knows no pages. */
async function checkTypes(declared: Promise<unknown>): Promise<ToolRun> {
  await declared
  const onlyErrors = ['--minimumSeverity', 'error', '--minimumFailingSeverity', 'error']
  const [pages, others] = await Promise.all([
    runTool('astro', ['check', '--noSync', '--tsconfig', 'tsconfig.pages.json', ...onlyErrors]),
    runTool('typescript', ['--noEmit', '--pretty'], { name: 'tsc' }),
  ])
  const isFine = pages.code === 0 && others.code === 0
  return { code: isFine ? 0 : 1, output: `${pages.output}\n${others.output}` }
}
