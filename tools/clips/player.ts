declare global {
  interface Window {
    renderAt: (atMs: number) => string
  }
}

/**
 * Runs in the filmed page. Stops every animation of the scene and hands their clock to the
 * camera: `renderAt(ms)` puts the whole stage at that moment and answers a fingerprint of what
 * it shows, so that the camera need not photograph the same picture twice.
 *
 * It is sent to the page as text: it may use nothing from outside its own body.
 */
export function installPlayer(): void {
  const animations = document.getAnimations()
  for (const animation of animations) animation.pause()

  window.renderAt = (atMs) => {
    for (const animation of animations) animation.currentTime = atMs
    return animations
      .map(({ effect }) => String(effect?.getComputedTiming().progress ?? 'none'))
      .join(' ')
  }
}
