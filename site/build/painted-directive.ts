import type { ClientDirective } from 'astro'
import { whenPainted } from '../scripts/when-painted.ts'

/** `client:painted`: an island that comes to life after the first screen of its page has been shown. */
const painted: ClientDirective = (load) => {
  whenPainted(() => {
    void load().then((hydrate) => hydrate())
  })
}

export default painted
