import { type Toast, toasts } from '../../src/features/toasts/toasts.ts'
import { popovers, POPOVER_OPEN } from './popovers.ts'

/** Shows the toasts of this page in their region (site/components/Toasts.astro). */
const region = document.querySelector<HTMLElement>('.toasts')
if (region) void popovers.then(() => showToasts(region))

function showToasts(region: HTMLElement) {
  const urgent = region.querySelector('[role=alert]')
  const polite = region.querySelector('[role=status]')
  region.showPopover()
  region.addEventListener('pointerover', toasts.hold)
  region.addEventListener('focusin', ({ relatedTarget }) => {
    toasts.hold()
    if (relatedTarget instanceof HTMLElement && !region.contains(relatedTarget))
      before = relatedTarget
  })
  region.addEventListener('pointerout', toasts.release)
  region.addEventListener('focusout', toasts.release)

  /** What had the focus before somebody went to the toasts. */
  let before: HTMLElement | null = null
  const shown = new Map<string, HTMLElement>()
  const show = (toast: Toast) => {
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
    // Opened again, it is above what opened after it.
    if (dialog || document.querySelector(`${POPOVER_OPEN}:not(.toasts)`)) place(region, dialog)
    const made = draw(toast, () => {
      const hadFocus = made.contains(document.activeElement)
      toasts.dismiss(toast.id)
      if (hadFocus) before?.focus({ preventScroll: true })
      // Browsers do not say that the pointer and the focus left a toast that was removed.
      toasts.release()
    })
    shown.set(toast.id, made)
    if (toast.kind === 'error') urgent?.append(made)
    else polite?.append(made)
  }

  toasts.$toasts.subscribe((list) => {
    for (const [id, made] of shown) {
      if (list.some((toast) => toast.id === id)) continue
      made.remove()
      shown.delete(id)
    }
    for (const toast of list) if (!shown.has(toast.id)) show(toast)
  })
  // Nobody reads toasts in a tab that is hidden.
  const hold = () => (document.hidden ? toasts.hold() : toasts.release())
  document.addEventListener('visibilitychange', hold)
  hold()
  // Screen readers announce what changes in a region that they have seen before.
  setTimeout(toasts.restore, 200)
}

/** Opens the region anew, within a dialog, because what is outside of an open dialog cannot be pressed. */
function place(region: HTMLElement, dialog: Element | undefined) {
  region.hidePopover()
  if (dialog && !dialog.contains(region)) {
    dialog.append(region)
    dialog.addEventListener('close', () => place(region, undefined), { once: true })
  }
  if (!dialog) document.body.append(region)
  region.showPopover()
}

function draw({ kind, text }: Toast, onDismiss: () => void): HTMLElement {
  const toast = document.createElement('div')
  toast.className = 'toast'
  toast.dataset['kind'] = kind
  const words = document.createElement('p')
  words.textContent = text
  const close = document.createElement('button')
  close.className = 'toast-close'
  close.type = 'button'
  close.ariaLabel = 'Dismiss'
  close.textContent = '×'
  close.addEventListener('click', onDismiss)
  toast.append(words, close)
  return toast
}
