import { atom } from 'nanostores'

/** Something that runs once at a time: a call while it runs does nothing. `$isBusy` tells whether it runs. */
export function createAction<Args extends readonly unknown[]>(
  act: (...args: Args) => Promise<unknown>,
) {
  const $isBusy = atom(false)
  async function run(...args: Args) {
    if ($isBusy.get()) return
    $isBusy.set(true)
    await act(...args)
    $isBusy.set(false)
  }
  return { $isBusy, run }
}
