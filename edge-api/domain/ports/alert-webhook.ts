/** Outside addresses that learn of the site's state; null where none is configured. */
export interface AlertWebhook {
  /** Posts a text to the operators' chat. Throws when it is not taken, or after ten seconds without an answer. */
  readonly post: ((text: string) => Promise<void>) | null
  /** Tells a monitor that the jobs of this minute ran. Throws as `post` does. */
  readonly heartbeat: (() => Promise<void>) | null
}
