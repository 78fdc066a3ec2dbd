import { brand } from './brand.ts'

/** The site's icon. tools/artwork draws the larger ones. */
export function iconSvg(): string {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7"/>',
    '<path fill="none" stroke="#fff" stroke-width="2" stroke-dasharray="4 3" d="M5 9h22v14H5z"/>',
    `<path fill="${brand.colour.dark.marker}" d="M10 13h12v6H10z"/></svg>`,
  ].join('')
}
