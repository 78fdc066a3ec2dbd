function show(id: string) {
  const dialog = document.getElementById(id)
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal()
}

/** Buttons with `data-opens` open the dialog of that id; `data-closes` closes the dialog around the button. */
for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
  button.addEventListener('click', () => {
    const id = button.dataset['opens'] ?? ''
    history.pushState(id, '', `#${id}`)
    show(id)
  })
}
for (const button of document.querySelectorAll<HTMLElement>('[data-closes]')) {
  button.addEventListener('click', () => {
    button.closest('dialog')?.close()
  })
}
// Closes a dialog on a click outside it, in browsers without `closedby`, but not on a selection dragged out of it.
for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[closedby=any]')) {
  let pressed: EventTarget | null = null
  dialog.addEventListener('pointerdown', ({ target }) => {
    pressed = target
  })
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog && pressed === dialog) dialog.close()
  })
}

// An open dialog is an entry in the history with an address of its own: Back closes it, with the dialogs inside it, and
// does not leave the page. Reloading the page keeps the entry, and the address opens the dialog for others too.
function showStep() {
  const id = location.hash.slice(1)
  if (id !== '') show(id)
  else for (const dialog of document.querySelectorAll('dialog')) dialog.close()
}
addEventListener('popstate', showStep)
showStep()
for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
  const id = button.dataset['opens'] ?? ''
  document.getElementById(id)?.addEventListener('close', () => {
    if (history.state === id) history.back()
    else if (location.hash === `#${id}`) history.replaceState(null, '', location.pathname)
  })
}
