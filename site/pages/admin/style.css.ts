import type { APIRoute } from 'astro'
import admin from '../../styles/admin.css?raw'
import badge from '../../styles/badge.css?raw'
import base from '../../styles/base.css?raw'
import { brandColours } from '../../styles/brand-colours.ts'
import button from '../../styles/button.css?raw'
import facts from '../../styles/facts.css?raw'
import form from '../../styles/form.css?raw'
import notice from '../../styles/notice.css?raw'
import table from '../../styles/table.css?raw'
import tokens from '../../styles/tokens.css?raw'

/** The style sheet of the admin pages, whose policy allows no fonts. The Worker hands it out behind the sign-in. */
export const GET: APIRoute = () => {
  const withoutFonts = tokens.slice(tokens.indexOf('@layer tokens'))
  const parts = [base, button, badge, facts, form, notice, table, admin]
  const sheet = [brandColours(), withoutFonts, ...parts].join('\n')
  return new Response(sheet, { headers: { 'content-type': 'text/css' } })
}
