import { pressAgain } from '../../src/lib/press-again.ts'

/** Buttons with `data-opens` open the dialog of that id; `data-closes` closes the dialog it stands in. */
for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
  button.addEventListener('click', () => {
    const dialog = document.getElementById(button.dataset['opens'] ?? '')
    if (dialog instanceof HTMLDialogElement) dialog.showModal()
  })
  button.removeAttribute('data-late')
  pressAgain(button)
}
for (const button of document.querySelectorAll<HTMLElement>('[data-closes]')) {
  button.addEventListener('click', () => {
    button.closest('dialog')?.close()
  })
}
// Where `closedby` is not known yet, a click beside the dialog closes it all the same.
for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[closedby=any]')) {
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
}
