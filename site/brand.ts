/** What a seller in India shows on its pages, and what its receipts say. */
interface Seller {
  readonly street: string
  readonly postalCode: string
  readonly phone: string
  /** For how many years tax law makes the seller keep its records: a number, from the accountant. */
  readonly taxRecordYears: string
  /** Answers for complaints: the Consumer Protection (E-Commerce) Rules, 2020, rule 4, ask for the person. */
  readonly grievanceOfficer: {
    readonly name: string
    readonly designation: string
    readonly email: string
    readonly hours: string
  }
  /** Null for a seller who is not registered for GST; otherwise prices include the tax. */
  readonly tax: {
    readonly gstin: string
    /** The services accounting code of what is sold. */
    readonly sac: string
    /** Basis points: 1800 for 18 %. */
    readonly rate: number
    /** The GST code of the seller's state: the first two digits of the GSTIN. */
    readonly state: string
    /** The number of the letter of undertaking under which exports carry no tax. */
    readonly lut: string
  } | null
}

/** To be filled in before the first production build, which refuses blanks and examples. Pages leave out blanks. */
const seller: Seller = {
  street: '',
  postalCode: '',
  phone: '',
  taxRecordYears: '',
  grievanceOfficer: {
    name: '',
    designation: 'Grievance Officer',
    email: 'grievance@sotto.example',
    hours: 'Monday to Friday, 10:00 to 18:00 India time',
  },
  tax: null,
}

/** The product's names, addresses, links and colours. To rebrand the product, edit this file, then `npm run artwork`. */
export const brand = {
  productName: 'Sotto',
  company: 'Sotto Labs',
  /** The contracting party: terms, refunds, receipts and job offers name it. */
  legalEntity: 'Sotto Labs Private Limited',
  /**
   * Who makes the app's answers, as worded on the privacy page: the company and where it is. To be confirmed before the
   * first production build.
   */
  answersMadeBy: '',
  /**
   * Who else stores what, each as worded on the privacy page: the company and the country where it keeps the data. To be
   * filled in before the first production build, as is what protects data that leave the reader's country, for example
   * "the European Commission's standard contractual clauses".
   */
  recipients: { database: '', storage: '', mailbox: '', transferSafeguards: '' },
  place: { city: 'Bengaluru', region: 'Karnataka', country: 'India', countryCode: 'IN' },
  seller,
  tagline: 'A desktop AI assistant for interviews and calls',
  description:
    'A desktop AI assistant for interviews, meetings, sales calls and negotiations. It answers on your screen, out of screen sharing where your system allows it.',
  /** The origin of each environment of wrangler.toml: `https://` and a host. */
  websites: {
    production: 'https://sotto.example',
    staging: 'https://staging.sotto.example',
  },
  supportEmail: 'support@sotto.example',
  securityEmail: 'security@sotto.example',
  /** Receives a mail with each deployment, which shows that the site can send mail. */
  operatorEmail: 'operator@sotto.example',
  careersEmail: 'careers@sotto.example',
  mailFrom: 'Sotto <hello@sotto.example>',
  videoChannelUrl: 'https://www.youtube.com/@example',
  demoUrl: 'https://www.youtube.com/watch?v=example',
  /** Addresses that the system opens in the app. Part of the app's installation: change it there too. */
  appScheme: 'sotto://',
  codeHostUrl: 'https://github.com/example',
  /**
   * Hex colours of the light theme, and of the dark one. The marker is the accent, and `onMarker` the text on it. Pages,
   * mails, the API's page, the payment window, icons and films take them from here; the other colours of pages are in
   * site/styles/tokens.css. `npm run check` refuses a contrast that is too low to read.
   */
  colour: {
    paper: '#fbfaf7',
    ink: '#14130f',
    muted: '#5e5a52',
    line: '#e6e2d8',
    marker: '#d7f75b',
    onMarker: '#14130f',
    dark: {
      paper: '#0e0e0c',
      ink: '#f4f2ec',
      muted: '#a6a196',
      line: '#2a2925',
      marker: '#d7f75b',
      onMarker: '#14130f',
    },
  },
} as const
