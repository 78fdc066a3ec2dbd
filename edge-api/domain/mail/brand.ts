/** Names and addresses of the product's owner, as mails need them; the values stand in site/brand.ts. */
export interface Brand {
  readonly productName: string
  readonly legalEntity: string
  readonly supportEmail: string
  readonly careersEmail: string
  readonly mailFrom: string
}
