import { toasts } from '../features/toasts/toasts.ts'
import type { Toast } from '../features/toasts/toasts.ts'
import { element } from './elements.ts'

/**
 * Shows the toasts at the top right, in two lists: screen readers announce errors at once and the others when idle, in a
 * region that was there before them. It is a popover, so it is above open dialogs.
 */
export function startToasts() {
  const region = element('div', 'toasts no-print')
  region.popover = 'manual'
  const polite = element('div', 'toast-list')
  polite.setAttribute('role', 'status')
  const urgent = element('div', 'toast-list')
  urgent.setAttribute('role', 'alert')
  region.append(urgent, polite)
  document.body.append(region)
  region.showPopover()
  region.addEventListener('pointerover', toasts.hold)
  region.addEventListener('focusin', toasts.hold)
  region.addEventListener('pointerout', toasts.release)
  region.addEventListener('focusout', toasts.release)

  const shown = new Map<string, HTMLElement>()
  const show = (toast: Toast) => {
    // Opened again, it is above what opened after it.
    if (document.querySelector('dialog[open], :popover-open:not(.toasts)')) {
      region.hidePopover()
      region.showPopover()
    }
    const made = drawToast(toast)
    shown.set(toast.id, made)
    if (toast.kind === 'error') urgent.append(made)
    else polite.append(made)
  }

  toasts.$toasts.subscribe((list) => {
    for (const [id, made] of shown) {
      if (list.some((toast) => toast.id === id)) continue
      made.remove()
      shown.delete(id)
    }
    for (const toast of list) if (!shown.has(toast.id)) show(toast)
  })
  toasts.restore()
}

function drawToast({ id, kind, text }: Toast): HTMLElement {
  const toast = element('div', 'toast')
  toast.dataset.kind = kind
  const close = element('button', 'toast-close', '×')
  close.setAttribute('type', 'button')
  close.setAttribute('aria-label', 'Dismiss')
  close.addEventListener('click', () => {
    toasts.dismiss(id)
    // Browsers do not say that the pointer and the focus left a toast that was removed.
    toasts.release()
  })
  toast.append(element('p', '', text), close)
  return toast
}
