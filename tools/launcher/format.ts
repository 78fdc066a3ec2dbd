import { formattedFiles } from './formatted.ts'
import { runTool } from './run-tool.ts'

const { code } = await runTool('prettier', ['--write', '--log-level=warn', formattedFiles], {
  shows: true,
})
process.exitCode = code
