/**
 * <screen-compare>: its range input moves the edge between your view and theirs. The edge sweeps once when the
 * visitor first scrolls to it, unless the visitor has moved it, prefers reduced motion or saves data.
 */
import { wantsStillness } from '../../src/lib/stillness.ts'

const SWEEP_MS = 2_400
/** Percent of the width where the edge rests, and where the sweep turns back. */
const REST = 64
const TURN = 22

class ScreenCompare extends HTMLElement {
  connectedCallback() {
    const range = this.querySelector('input')
    if (range === null) return
    const put = (percent: number) => {
      this.style.setProperty('--at', `${percent}%`)
    }
    let isTouched = wantsStillness(window)
    const touch = () => {
      isTouched = true
    }
    // The visitor moved it before this script loaded.
    if (range.value !== range.defaultValue) {
      touch()
      put(range.valueAsNumber)
    }
    range.addEventListener('pointerdown', touch)
    range.addEventListener('keydown', touch)
    range.addEventListener('input', () => {
      touch()
      put(range.valueAsNumber)
    })
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return
        observer.disconnect()
        const start = performance.now()
        const step = (now: number) => {
          if (isTouched) return
          const part = Math.min(1, (now - start) / SWEEP_MS)
          put(REST + (TURN - REST) * (0.5 - 0.5 * Math.cos(part * 2 * Math.PI)))
          if (part < 1) requestAnimationFrame(step)
        }
        requestAnimationFrame(step)
      },
      { threshold: 0.6 },
    )
    observer.observe(this)
  }
}

customElements.define('screen-compare', ScreenCompare)
