import { announceHydrated } from '../../src/lib/early-input.ts'

function show(id: string) {
  const dialog = document.getElementById(id)
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal()
}

/** Buttons with `data-opens` open the dialog of that id; `data-closes` closes the dialog around the button. */
for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
  button.addEventListener('click', () => {
    const id = button.dataset['opens'] ?? ''
    history.pushState(id, '')
    show(id)
  })
  announceHydrated(button)
}
for (const button of document.querySelectorAll<HTMLElement>('[data-closes]')) {
  button.addEventListener('click', () => {
    button.closest('dialog')?.close()
  })
}
// In browsers without `closedby`, this closes a dialog on a click outside of it.
for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[closedby=any]')) {
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
}

// An open dialog is a step of the history: Back closes it, and all dialogs open in it, and does not leave the page.
// Reloading the page keeps the step.
function showStep() {
  const step: unknown = history.state
  if (typeof step === 'string') show(step)
  else for (const dialog of document.querySelectorAll('dialog')) dialog.close()
}
addEventListener('popstate', showStep)
showStep()
for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
  const id = button.dataset['opens'] ?? ''
  document.getElementById(id)?.addEventListener('close', () => {
    if (history.state === id) history.back()
  })
}
