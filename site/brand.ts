/** The product's names, addresses, links and colours. To rebrand the product, edit this file. */
export const brand = {
  productName: 'Sotto',
  company: 'Sotto Labs',
  /** The contracting party: terms, refunds, receipts and job offers name it. */
  legalEntity: 'Sotto Labs Private Limited',
  place: { city: 'Bengaluru', region: 'Karnataka', country: 'India', countryCode: 'IN' },
  tagline: 'A desktop AI assistant only you can see',
  description:
    'A desktop AI assistant for interviews, meetings, sales calls and negotiations. It answers in a slip on your screen that screen sharing does not show.',
  /** The origin of each environment of wrangler.toml: `https://` and a host. */
  websites: {
    production: 'https://sotto.example',
    staging: 'https://staging.sotto.example',
  },
  /**
   * True lets browsers put the domain and all of its subdomains on their lists of HTTPS-only sites, which takes months
   * to undo. Then register it at https://hstspreload.org.
   */
  hasHstsPreload: false,
  supportEmail: 'support@sotto.example',
  securityEmail: 'security@sotto.example',
  /** Receives a mail with each deployment, which shows that the site can send mail. */
  operatorEmail: 'operator@sotto.example',
  careersEmail: 'careers@sotto.example',
  mailFrom: 'Sotto <hello@sotto.example>',
  videoChannelUrl: 'https://www.youtube.com/@sottolabs',
  demoUrl: 'https://www.youtube.com/watch?v=sotto-demo',
  macReleaseUrl:
    'https://github.com/sotto-labs/sotto-desktop/releases/latest/download/Sotto-universal.dmg',
  windowsStoreUrl: 'https://apps.microsoft.com/detail/sotto',
  codeHostUrl: 'https://github.com/sotto-labs',
  /** Colours for places without site/styles/tokens.css: mails, the API's page, the payment window, the manifest. */
  colour: {
    paper: '#fbfaf7',
    ink: '#14130f',
    muted: '#5e5a52',
    line: '#e6e2d8',
    marker: '#d7f75b',
    dark: { paper: '#0e0e0c', ink: '#f4f2ec', muted: '#a6a196', line: '#2a2925' },
  },
} as const
