/**
 * Popovers for browsers that have none (Safari before 17): the class `popover-open` stands for `:popover-open`
 * (site/styles/base.css). A press outside or Escape closes all but manual ones. They are not above open dialogs.
 */
const OPEN = 'popover-open'

function toggle(popover: HTMLElement, isOpen: boolean) {
  if (popover.classList.contains(OPEN) === isOpen) return
  popover.classList.toggle(OPEN, isOpen)
  popover.dispatchEvent(new Event('toggle'))
}

Object.assign(HTMLElement.prototype, {
  showPopover(this: HTMLElement) {
    toggle(this, true)
  },
  hidePopover(this: HTMLElement) {
    toggle(this, false)
  },
})

function closeOthers(kept: Element | null) {
  const open = document.querySelectorAll<HTMLElement>(`.${OPEN}:not([popover=manual])`)
  for (const popover of open) if (popover !== kept) toggle(popover, false)
}

addEventListener('click', (event) => {
  const { target } = event
  if (!(target instanceof Element)) return
  const button = target.closest('[popovertarget]')
  const id = button?.getAttribute('popovertarget') ?? ''
  const popover = button ? document.getElementById(id) : target.closest<HTMLElement>('[popover]')
  closeOthers(popover)
  if (button === null || popover === null) return
  event.preventDefault()
  toggle(popover, !popover.classList.contains(OPEN))
})
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') closeOthers(null)
})
export {}
