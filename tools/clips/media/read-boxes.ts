import type { FilmFacts } from './film-facts.ts'

/** Boxes that only hold others (ISO/IEC 14496-12), with the bytes before the first of them. */
const parents: Record<string, number> = {
  ...{ moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, iprp: 0, ipco: 0 },
  ...{ meta: 4, stsd: 8 },
}

/** All boxes of an MP4 or AVIF file in the order in which they stand, by name. */
export function readBoxes(bytes: Buffer): [string, Buffer][] {
  const boxes: [string, Buffer][] = []
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    const data = bytes.subarray(at + 8, at + size)
    boxes.push([name, data])
    const skipped = parents[name]
    if (skipped !== undefined) boxes.push(...readBoxes(data.subarray(skipped)))
    if (size < 8) throw new Error(`The box ${name} says it is ${String(size)} bytes long.`)
    at += size
  }
  return boxes
}

function need(boxes: readonly [string, Buffer][], name: string): Buffer {
  const box = boxes.find(([found]) => found === name)
  if (box === undefined) throw new Error(`This file has no ${name} box.`)
  return box[1]
}

/** Reads size, length and codec from an MP4 file (version 0 headers, as ffmpeg writes them). */
export function readMp4(bytes: Buffer): FilmFacts {
  const boxes = readBoxes(bytes)
  const head = need(boxes, 'mvhd')
  const track = need(boxes, 'tkhd')
  const tracks = boxes.flatMap(([name], index) => {
    return name === 'stsd' ? [boxes[index + 1]?.[0] ?? ''] : []
  })
  return {
    width: track.readUInt32BE(76) / 65_536,
    height: track.readUInt32BE(80) / 65_536,
    durationMs: (head.readUInt32BE(16) / head.readUInt32BE(12)) * 1000,
    codec: tracks[0] ?? '',
    tracks,
  }
}

/** Reads the size of an AVIF still in pixels. */
export function readAvif(bytes: Buffer): { width: number; height: number } {
  const size = need(readBoxes(bytes), 'ispe')
  return { width: size.readUInt32BE(4), height: size.readUInt32BE(8) }
}
