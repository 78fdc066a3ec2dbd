/** The range over the two views moves the edge between them. It also ends the sweep, which is a CSS animation. */
const compare = document.querySelector<HTMLElement>('.compared')
const range = compare?.querySelector('input')
const follow = () => {
  compare?.classList.remove('sweeps')
  compare?.style.setProperty('--at', `${range?.value ?? ''}%`)
}
for (const type of ['pointerdown', 'keydown', 'input']) range?.addEventListener(type, follow)
// The visitor moved it before this script loaded.
if (range?.value !== range?.defaultValue) follow()
