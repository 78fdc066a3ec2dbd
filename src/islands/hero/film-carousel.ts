import { announceHydrated } from '../../lib/early-input.ts'
import { advance, choose, type Rotation, startRotation, stop } from '../../lib/rotation.ts'
import { wantsStillness } from '../../lib/stillness.ts'
import { browserTimers, createTicker, type Ticker } from '../../lib/ticker.ts'
import { ICONS } from './icons.ts'
import { createSlide, type Slide } from './slide.ts'
import { onSwipe } from './swipe.ts'

/** How many milliseconds each film stays; the specification sets it. */
const TURN_MS = 20_000

/**
 * <film-carousel>: the films as a carousel (WAI-ARIA carousel pattern) over the HTML of site/sections/home/Films.astro. It
 * advances every 20 s until the visitor uses a control, pauses while hovered, focused or out of view, and stays still for
 * visitors who prefer reduced motion or save data.
 */
class FilmCarousel extends HTMLElement {
  private slides: Slide[] = []
  private dots: HTMLElement[] = []
  private rotation: Rotation = startRotation(0, true)
  private ticker: Ticker | null = null
  private isPointedAt = false
  private isFocused = false
  private isOnScreen = false
  private isStill = true
  /** The visitor's choice of play or pause; null before a choice. */
  private asked: boolean | null = null
  private isMuted = true
  private hasCaptions = false
  /** The browser could not play a film, or may not without being asked. */
  private hasFailed = false

  connectedCallback() {
    const listeners = {
      onProgress: (part: number) => {
        this.setProgress(part)
      },
      onFailed: () => {
        this.hasFailed = true
        this.update()
      },
    }
    this.slides = [...this.querySelectorAll<HTMLElement>('[data-clip]')].map((element) =>
      createSlide(element, listeners),
    )
    this.dots = [...this.querySelectorAll<HTMLElement>('[data-dot]')]
    this.rotation = startRotation(this.slides.length, true)
    this.ticker = createTicker({
      everyMs: TURN_MS,
      timers: browserTimers,
      onTick: () => {
        this.turn(advance(this.rotation))
      },
    })
    this.isFocused = this.contains(document.activeElement)
    this.listenToControls()
    this.listenToPresence()
    this.update()
    announceHydrated(this)
  }

  private get isPlaying() {
    return (this.asked ?? !this.isStill) && !this.hasFailed
  }

  private listenToControls() {
    const show = (index: number) => {
      this.turn(choose(this.rotation, index))
    }
    const step = (by: number) => {
      show(this.rotation.index + by)
    }
    const acts = {
      previous: () => {
        step(-1)
      },
      next: () => {
        step(1)
      },
      play: () => {
        this.asked = !this.isPlaying
        this.hasFailed = false
        this.turn(stop(this.rotation))
      },
      sound: () => {
        this.isMuted = !this.isMuted
        this.turn(stop(this.rotation))
      },
      captions: () => {
        this.hasCaptions = !this.hasCaptions
        this.turn(stop(this.rotation))
      },
    }
    for (const [name, act] of Object.entries(acts)) {
      this.control(name)?.addEventListener('click', act)
    }
    this.dots.forEach((dot, index) => {
      dot.addEventListener('click', () => {
        show(index)
      })
    })
    this.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      if (by === 0) return
      event.preventDefault()
      step(by)
    })
    const stage = this.querySelector<HTMLElement>('.clips-stage')
    if (stage) onSwipe(stage, step)
  }

  private listenToPresence() {
    this.addEventListener('pointerenter', (event) => {
      this.isPointedAt = event.pointerType === 'mouse'
      this.update()
    })
    this.addEventListener('pointerleave', () => {
      this.isPointedAt = false
      this.update()
    })
    this.addEventListener('focusin', () => {
      this.isFocused = true
      this.update()
    })
    this.addEventListener('focusout', ({ relatedTarget }) => {
      this.isFocused = relatedTarget instanceof Node && this.contains(relatedTarget)
      this.update()
    })
    const observer = new IntersectionObserver(
      ([entry]) => {
        this.isOnScreen = entry?.isIntersecting ?? false
        this.update()
      },
      { threshold: 0.25 },
    )
    observer.observe(this)
    document.addEventListener('visibilitychange', () => {
      this.update()
    })
    this.isStill = wantsStillness(window)
    window.matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', () => {
      this.isStill = wantsStillness(window)
      this.update()
    })
  }

  private turn(rotation: Rotation) {
    if (rotation.index !== this.rotation.index) this.setProgress(0)
    this.rotation = rotation
    this.update()
  }

  /** Shows the state in the HTML and passes it to the films. */
  private update() {
    const { rotation, isPlaying, isMuted, hasCaptions } = this
    const isSeen = this.isOnScreen && !document.hidden
    const isHeld = this.isPointedAt || this.isFocused || !isSeen || this.isStill
    const runs = rotation.isAuto && !isHeld
    if (runs) this.ticker?.run()
    else this.ticker?.hold()
    this.querySelector('.clips-stage')?.setAttribute('aria-live', runs ? 'off' : 'polite')
    this.slides.forEach((slide, index) => {
      const isCurrent = index === rotation.index
      slide.set({ isCurrent, isPlaying: isCurrent && isPlaying && isSeen, isMuted, hasCaptions })
    })
    this.dots.forEach((dot, index) => {
      dot.ariaCurrent = index === rotation.index ? 'true' : null
    })
    this.name(
      'play',
      isPlaying ? 'Pause the films' : 'Play the films',
      isPlaying ? 'pause' : 'play',
    )
    this.name('sound', isMuted ? 'Unmute' : 'Mute', isMuted ? 'muted' : 'loud')
    this.control('captions')?.setAttribute('aria-pressed', String(hasCaptions))
    // The headline moves too, so the pause button also stops it (WCAG 2.2.2). Listed in src/page/state.ts, which would be one
    // more script of the landing page.
    document.documentElement.toggleAttribute('data-still', this.asked === false)
  }

  private setProgress(part: number) {
    const progress = this.querySelector('progress')
    if (progress) progress.value = part
  }

  private control(name: string) {
    return this.querySelector<HTMLElement>(`[data-act=${name}]`)
  }

  private name(control: string, label: string, icon: keyof typeof ICONS) {
    const button = this.control(control)
    if (button === null || button.title === label) return
    button.ariaLabel = label
    button.title = label
    button.querySelector('path')?.setAttribute('d', ICONS[icon])
  }
}

customElements.define('film-carousel', FilmCarousel)
