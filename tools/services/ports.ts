import { randomInt } from 'node:crypto'
import getPort from 'get-port'

/** True when no program listens on this port, on any address of this machine. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await getPort({ port })) === port
}

/**
 * A free port, a different one with each call. It is below the range for outgoing connections (Linux from 32768, macOS from
 * 49152), because one of those could take the port while its service restarts.
 */
export function freePort(): Promise<number> {
  return getPort({ port: Array.from({ length: 20 }, () => randomInt(20_000, 32_000)) })
}
