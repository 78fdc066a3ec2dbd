import { brand } from '../brand.ts'

/**
 * The app's icon as SVG, drawn to fill a square; what a mask cuts off is empty (maskable icons keep to the inner 80 %).
 */
export function iconSvg(size: number): string {
  const { night, marker, paper } = brand.colour
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 64 64"><rect width="64" height="64" fill="${night}"/><rect x="12" y="17" width="40" height="30" rx="8" fill="none" stroke="${paper}" stroke-width="2.75" stroke-dasharray="6.2 4.3"/><rect x="21" y="27" width="22" height="10" rx="2.5" fill="${marker}"/></svg>`
}

/** A one-picture ICO around a PNG of 32 × 32 (the container has a 6-byte head and a 16-byte entry). */
export function icoFromPng(png: Buffer): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(32, 6)
  head.writeUInt8(32, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.byteLength, 14)
  head.writeUInt32LE(head.byteLength, 18)
  return Buffer.concat([head, png])
}
