import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../launcher/settings.ts'
import type { Mutant } from './mutant.ts'

/** Whether a mutant does not compile: then `npm run check` notices it. The files are those that mutants change. */
export function typeChecker(files: readonly string[]): (mutant: Mutant) => boolean {
  const configFile = join(root, 'tsconfig.json')
  const { config }: { config?: object } = ts.readConfigFile(configFile, ts.sys.readFile)
  const bare = { ...config, include: [], files: [] }
  const { options } = ts.parseJsonConfigFileContent(bare, ts.sys, root, {}, configFile)
  // What a mutant no longer uses, a fault in its place may use.
  Object.assign(options, { noUnusedLocals: false, noUnusedParameters: false })
  const rootNames = files.filter((file) => file.endsWith('.ts')).map((file) => join(root, file))
  let mutant: Mutant | null = null
  let version = 0
  const isChanged = (name: string) => mutant !== null && name === join(root, mutant.file)
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => rootNames,
    getScriptVersion: (name) => (isChanged(name) ? String(version) : '0'),
    getScriptSnapshot: (name) => {
      const text = isChanged(name) ? mutant?.text : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
  })
  return (next) => {
    if (!next.file.endsWith('.ts')) return false
    mutant = next
    version += 1
    return service.getSemanticDiagnostics(join(root, next.file)).length > 0
  }
}
