/** The page could not load a script that it loads on demand. */
export class MissingPart extends Error {
  override name = 'MissingPart'
}

/**
 * Loads a script on demand. Throws `MissingPart` when that fails. Retrying is useless, because some browsers cache a
 * failed import; only reloading the page helps.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new MissingPart('A script of the page did not load', { cause })
  }
}
