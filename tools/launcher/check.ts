import { LaunchError } from './bootstrap/launch-error.mjs'
import { runTool, type ToolRun } from './run-tool.ts'

/** What the formatter looks after. */
const FORMATTED = '**/*.{ts,tsx,mjs,astro,css}'

/** `npm run check`: types, lint, formatting and the bounds of every input of the API, side by side. */
export async function check(): Promise<void> {
  await runChecks({
    ...checksOfTree(declareTypes()),
    bounds: runTool('vitest', ['run', '--project', 'unit', 'src/contract/endpoints.test.ts']),
  })
}

/** `npm run format`: writes every file as the formatter wants it. */
export async function format(): Promise<void> {
  const options = ['--write', '--log-level=warn', FORMATTED]
  const { code } = await runTool('prettier', options, { shows: true })
  process.exitCode = code
}

/**
 * Types, lint (with the import arrows) and formatting.
 *
 * @param declared what the types wait for: the declarations of what Astro makes, which a build writes down too
 */
export function checksOfTree(declared: Promise<unknown>): Record<string, Promise<ToolRun>> {
  return {
    types: checkTypes(declared),
    lint: runTool('eslint', ['.', '--max-warnings', '0']),
    format: runTool('prettier', ['--check', '--log-level=warn', FORMATTED]),
  }
}

/** Prints how each check ended. Throws a LaunchError naming those that failed. */
export async function runChecks(checks: Record<string, Promise<ToolRun>>): Promise<void> {
  const failed: string[] = []
  for (const [name, run] of Object.entries(checks)) {
    const { code, output } = await run
    console.log(`${name}: ${code === 0 ? 'fine' : 'failed'}`)
    if (code === 0) continue
    console.log(output.trimEnd())
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
