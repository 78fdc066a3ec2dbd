import { randomInt } from 'node:crypto'
import getPort from 'get-port'

/** True when nobody listens there, on any address of this machine. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await getPort({ port })) === port
}

/**
 * A port that nobody listens on, another one with each call. Below those the system gives to outgoing connections (Linux
 * from 32768, macOS from 49152): one of these could take the port while its service is down for a moment.
 */
export function freePort(): Promise<number> {
  return getPort({ port: Array.from({ length: 20 }, () => randomInt(20_000, 32_000)) })
}
