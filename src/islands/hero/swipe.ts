/** A swipe is longer than this, in CSS pixels, and more sideways than up or down. */
const SWIPE_PX = 40

/** Calls `onStep` after each sideways swipe over the element: with 1 for the next one, with -1 for the previous one. */
export function onSwipe(element: HTMLElement, onStep: (step: 1 | -1) => void): void {
  let start: { x: number; y: number } | null = null
  element.addEventListener('pointerdown', ({ pointerType, clientX, clientY }) => {
    start = pointerType === 'mouse' ? null : { x: clientX, y: clientY }
  })
  element.addEventListener('pointerup', ({ clientX, clientY }) => {
    if (start === null) return
    const dx = clientX - start.x
    const dy = clientY - start.y
    start = null
    if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < Math.abs(dy)) return
    onStep(dx < 0 ? 1 : -1)
  })
  element.addEventListener('pointercancel', () => {
    start = null
  })
}
