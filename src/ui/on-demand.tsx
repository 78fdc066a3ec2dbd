import type { ComponentType, ReactNode } from 'react'
import { lazy, Suspense, useState } from 'react'
import { ErrorBoundary, MissingPart } from './ErrorBoundary.tsx'

/**
 * A component whose script loads when it is first shown. `of` names it in the message when it cannot be shown; `fallback`
 * stands in for it until its script is there.
 */
export function onDemand<Props extends object>(
  of: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
): ComponentType<Props> {
  const Part: ComponentType<Props> = lazy(() => loadPart(load))
  return function OnDemand(props) {
    return (
      <ErrorBoundary of={of}>
        <Suspense fallback={fallback}>
          <Part {...props} />
        </Suspense>
      </ErrorBoundary>
    )
  }
}

/** A component of a module with several, as `onDemand` loads it. */
export function named<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return async () => ({ default: (await load())[name] })
}

/**
 * Loads a script on demand. Throws `MissingPart` when that fails. Retrying is useless, because some browsers cache a
 * failed import; only reloading the page helps.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new MissingPart('A script of the page did not load', { cause })
  }
}

/** Whether a dialog was open before. It stays on the page after that, because it gives the focus back when it closes. */
export function useEver(isOpen: boolean): boolean {
  const [isUsed, setIsUsed] = useState(isOpen)
  if (isOpen && !isUsed) setIsUsed(true)
  return isUsed
}
