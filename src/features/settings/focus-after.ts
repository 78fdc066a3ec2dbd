import type { RefObject } from 'react'
import { takeFocus } from '../../ui/take-focus.ts'

/** Moves the focus to an element once `done` has removed the focused one. */
export async function focusAfter(done: Promise<unknown>, ref: RefObject<HTMLElement | null>) {
  await done
  if (document.activeElement === document.body) takeFocus(ref.current)
}
