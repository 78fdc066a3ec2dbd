import type { FilmFacts } from './film-facts.ts'

/** EBML elements that hold others on the way to what we read (RFC 8794, RFC 9559). */
const parents = new Set(['18538067', '1549a966', '1654ae6b', 'ae', 'e0'])
const nanosPerMs = 1_000_000

interface Element {
  id: string
  data: Uint8Array
  next: number
}

function lengthOf(firstByte: number): number {
  return Math.clz32(firstByte) - 23
}

function readElement(bytes: Uint8Array, at: number): Element {
  const idEnd = at + lengthOf(bytes[at] ?? 0)
  const sizeLength = lengthOf(bytes[idEnd] ?? 0)
  const dataAt = idEnd + sizeLength
  const [firstByte = 0, ...others] = bytes.slice(idEnd, dataAt)
  const unmarked = firstByte & (0xff >> sizeLength)
  const next = dataAt + others.reduce((sum, byte) => sum * 256 + byte, unmarked)
  const id = Buffer.from(bytes.slice(at, idEnd)).toString('hex')
  return { id, data: bytes.subarray(dataAt, next), next }
}

type Found = Map<string, Buffer[]>

function collect(bytes: Uint8Array, found: Found): Found {
  for (let at = 0; at < bytes.length;) {
    const { id, data, next } = readElement(bytes, at)
    if (parents.has(id)) collect(data, found)
    else found.set(id, [...(found.get(id) ?? []), Buffer.from(data)])
    at = next
  }
  return found
}

function need(found: Found, id: string): Buffer {
  const value = found.get(id)?.[0]
  if (value === undefined) throw new Error(`This WebM file has no element ${id}.`)
  return value
}

/** Reads size, length and codec from a WebM file. Throws when one of them is missing. */
export function readWebm(bytes: Uint8Array): FilmFacts {
  const found = collect(bytes, new Map<string, Buffer[]>())
  const integer = (id: string): number => {
    const value = need(found, id)
    return value.readUIntBE(0, value.length)
  }
  const duration = need(found, '4489')
  const ticks = duration.length === 8 ? duration.readDoubleBE() : duration.readFloatBE()
  return {
    width: integer('b0'),
    height: integer('ba'),
    durationMs: (ticks * integer('2ad7b1')) / nanosPerMs,
    codec: need(found, '86').toString('ascii'),
    tracks: (found.get('86') ?? []).map((name) => name.toString('ascii')),
  }
}
