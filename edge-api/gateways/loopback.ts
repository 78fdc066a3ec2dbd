/** The host names of this machine, as `URL` writes them. */
export const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
