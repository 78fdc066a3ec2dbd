import { announceHydrated } from '../../lib/early-input.ts'
import { advance, choose, type Rotation, startRotation, stop } from '../../lib/rotation.ts'
import { wantsStillness } from '../../lib/stillness.ts'
import { browserTimers, createTicker, type Ticker } from '../../lib/ticker.ts'

/** How many milliseconds each scene stays; the specification sets it. */
const TURN_MS = 3_000

/**
 * <feature-panel>: scenes marked `data-scene`, a dot for each marked `data-dot`, a button marked `data-pause`.
 * It advances every 3 s until the visitor uses a dot or the button, and pauses while hovered, focused or out of view.
 */
class FeaturePanel extends HTMLElement {
  private scenes: HTMLElement[] = []
  private dots: HTMLElement[] = []
  private pause: HTMLElement | null = null
  private rotation: Rotation = startRotation(0, false)
  private ticker: Ticker | null = null
  private isPointedAt = false
  private isOnScreen = false

  connectedCallback() {
    this.scenes = [...this.querySelectorAll<HTMLElement>('[data-scene]')]
    this.dots = [...this.querySelectorAll<HTMLElement>('[data-dot]')]
    this.pause = this.querySelector('[data-pause]')
    this.rotation = startRotation(this.scenes.length, !wantsStillness(window))
    this.ticker = createTicker({
      everyMs: TURN_MS,
      timers: browserTimers,
      onTick: () => {
        this.change(advance(this.rotation))
      },
    })
    this.listen()
    this.change(this.rotation)
    announceHydrated(this)
  }

  private listen() {
    this.dots.forEach((dot, index) => {
      dot.addEventListener('click', () => {
        this.change(choose(this.rotation, index))
      })
    })
    this.pause?.addEventListener('click', () => {
      const { rotation } = this
      this.change(rotation.isAuto ? stop(rotation) : { ...rotation, isAuto: true })
    })
    this.addEventListener('pointerenter', (event) => {
      this.isPointedAt = event.pointerType === 'mouse'
      this.turn()
    })
    this.addEventListener('pointerleave', () => {
      this.isPointedAt = false
      this.turn()
    })
    for (const type of ['focusin', 'focusout'])
      this.addEventListener(type, () => {
        queueMicrotask(() => {
          this.turn()
        })
      })
    new IntersectionObserver(([entry]) => {
      this.isOnScreen = entry?.isIntersecting ?? false
      this.turn()
    }).observe(this)
  }

  private change(rotation: Rotation) {
    this.rotation = rotation
    this.scenes.forEach((scene, index) => {
      scene.toggleAttribute('data-current', index === rotation.index)
    })
    this.dots.forEach((dot, index) => {
      dot.ariaCurrent = index === rotation.index ? 'true' : null
    })
    if (this.pause) this.pause.ariaLabel = `${rotation.isAuto ? 'Pause' : 'Play'} the examples`
    this.toggleAttribute('data-auto', rotation.isAuto)
    this.turn()
  }

  private turn() {
    const isHeld = this.isPointedAt || !this.isOnScreen || this.matches(':focus-within')
    if (this.rotation.isAuto && !isHeld) this.ticker?.run()
    else this.ticker?.hold()
  }
}

customElements.define('feature-panel', FeaturePanel)
