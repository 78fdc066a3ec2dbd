/** The one file a new owner edits: names, addresses and links of the product. */
export const brand = {
  productName: 'Sotto',
  company: 'Sotto Labs',
  legalEntity: 'Sotto Labs Private Limited',
  supportEmail: 'support@sotto.example',
  careersEmail: 'careers@sotto.example',
  mailFrom: 'Sotto <hello@sotto.example>',
  videoChannelUrl: 'https://www.youtube.com/@sottolabs',
  demoUrl: 'https://www.youtube.com/watch?v=sotto-demo',
  macReleaseUrl: 'https://github.com/sotto-labs/sotto-desktop/releases/latest/download/Sotto-universal.dmg',
  windowsStoreUrl: 'https://apps.microsoft.com/detail/sotto',
} as const
