import { brand } from '../brand.ts'

interface FooterLink {
  href: string
  text: string
  badge?: string
  /** Whether pages of an account have it too. */
  isShort?: boolean
}

/** The columns in order: the product, the company, the legal pages. */
export const FOOTER_COLUMNS: FooterLink[][] = [
  [
    { href: '/subscription', text: 'Pricing', isShort: true },
    { href: '/download', text: 'Download' },
    { href: brand.videoChannelUrl, text: 'Videos', isShort: true },
    { href: '/screen-sharing', text: 'Screen sharing' },
    { href: '/changelog', text: 'Changelog' },
  ],
  [
    { href: '/about', text: 'About' },
    { href: '/careers', text: 'Careers', badge: 'Hiring', isShort: true },
    { href: '/contact', text: 'Contact Support', isShort: true },
    { href: '/security', text: 'Security' },
  ],
  [
    { href: '/privacy', text: 'Privacy', isShort: true },
    { href: '/terms', text: 'Terms', isShort: true },
    { href: '/refunds', text: 'Refunds', isShort: true },
    // Directive 2011/83/EU, article 11a, asks for these words on every page.
    { href: '/profile?tab=subscription', text: 'Withdraw from contract', isShort: true },
    { href: '/delivery', text: 'Delivery' },
  ],
]
