import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import type { Resource } from './resource.ts'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'

interface Props<T> {
  resource: Resource<T>
  /** Shown until the first answer. */
  loading: string
  /** What is shown instead of the server's reason when loading fails. */
  failed?: string
  children: (data: T) => ReactNode
}

/**
 * Loads data when it is first shown, and again when the user presses "Try Again". Data that are shown stay while they
 * reload and when that fails, and so does what the user typed among them.
 */
export function Loaded<T>({ resource, loading, failed, children }: Props<T>) {
  const { $resource, load } = resource
  const state = useStore($resource)
  useEffect(() => void load(), [load])
  return (
    <>
      {state.status === 'failed' && (
        <RetryNotice onRetry={load}>{failed ?? state.message}</RetryNotice>
      )}
      {state.data === null && state.status === 'loading' && <Loading>{loading}</Loading>}
      {state.data !== null && children(state.data)}
    </>
  )
}
