import { atom } from 'nanostores'
import type { CallResult } from '../../api/call-endpoint.ts'
import { sentenceOf } from '../../api/failure-text.ts'

export type ResourceState<T> =
  | { status: 'loading'; data: T | null }
  | { status: 'ready'; data: T }
  | { status: 'failed'; data: T | null; message: string }

/** Data of the server. Reloading keeps the data already shown until the answer arrives. */
export function createResource<T>(send: () => Promise<CallResult<T>>) {
  const $resource = atom<ResourceState<T>>({ status: 'loading', data: null })
  let latest = 0

  async function load() {
    latest += 1
    const turn = latest
    $resource.set({ status: 'loading', data: $resource.get().data })
    const result = await send()
    // Ignores the answer to any call but the latest.
    if (turn !== latest) return
    $resource.set(
      result.ok
        ? { status: 'ready', data: result.data }
        : { status: 'failed', data: $resource.get().data, message: sentenceOf(result) },
    )
  }

  return {
    $resource,
    load,
    /** Shows changed data without loading it. The answer to a call under way may be older. */
    put(data: T) {
      latest += 1
      $resource.set({ status: 'ready', data })
    },
  }
}

export type Resource<T> = Pick<ReturnType<typeof createResource<T>>, '$resource' | 'load'>
