/** A fault that a person can act on: its message is the one line they read. */
export class BootstrapError extends Error {}
