/** The package ships no types; this is the part of it that is used here. */
declare module 'subset-font' {
  interface Options {
    targetFormat: 'woff2' | 'sfnt'
    variationAxes?: Readonly<Record<string, number>>
    noLayoutClosure?: boolean
  }
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>
}
