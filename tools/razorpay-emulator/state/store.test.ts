import { mkdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../../tests/harness/scratch-folder.ts'
import { emptyState } from './state.ts'
import { fileStore } from './store.ts'

function createStore() {
  const folder = scratchFolder('store')
  onTestFinished(folder.remove)
  return fileStore(`${folder.path}/state.json`, () => undefined)
}

test('six who save again as soon as they have saved never write one draft at once', async () => {
  const store = createStore()
  const state = emptyState('seed')
  const saveOften = async () => {
    for (let round = 0; round < 30; round += 1) {
      state.counter += 1
      await store.save(state)
    }
  }
  await Promise.all(Array.from({ length: 6 }, saveOften))
  expect((await store.load())?.counter).toBe(180)
})

test('a write that failed is told to its caller, and the next one is tried all the same', async () => {
  const folder = scratchFolder('store')
  onTestFinished(folder.remove)
  const store = fileStore(`${folder.path}/later/state.json`, () => undefined)
  const state = emptyState('seed')
  const [first, second] = await Promise.allSettled([store.save(state), store.save(state)])
  expect([first.status, second.status]).toEqual(['rejected', 'rejected'])
  mkdirSync(`${folder.path}/later`)
  await store.save(state)
  expect(await store.load()).toEqual(state)
})
