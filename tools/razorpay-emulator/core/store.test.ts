import { readdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFolder } from '../../../tests/harness/test-folder.ts'
import { at, createBench } from '../bench.ts'
import { emptyState } from './state.ts'
import { loadState, saveState } from './store.ts'

function stateFile() {
  const folder = testFolder('store')
  return { folder, file: `${folder}/state.json` }
}

test('a saved state is loaded again, and no draft stays behind', () => {
  const { folder, file } = stateFile()
  const state = emptyState('seed')
  saveState(file, state)
  expect(loadState(file)).toEqual({ state, warning: null })
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test('an unreadable file is kept, and the console shows a warning', async () => {
  const { folder, file } = stateFile()
  writeFileSync(file, '{"version":1}')
  const loaded = loadState(file)
  expect(loaded.warning).toContain(`kept ${file}.unreadable`)
  expect(readdirSync(folder)).toEqual(['state.json.unreadable'])
  const { json } = await createBench(loaded).control('GET', '/state')
  expect(at(json, 'warning')).toBe(loaded.warning)
})
