/**
 * Elements marked `data-sweeps` move once, when the visitor first scrolls to them: `sweeps` holds their animation at its
 * start and `seen` runs it. Without this script, with reduced motion and with Save-Data they show its end.
 */
import { wantsStillness } from '../../src/lib/stillness.ts'

if (!wantsStillness(window)) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) target.classList.add('seen')
      }
    },
    { threshold: 0.6 },
  )
  for (const element of document.querySelectorAll('[data-sweeps]')) {
    element.classList.add('sweeps')
    observer.observe(element)
  }
}
