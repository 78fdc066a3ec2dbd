import type { APIRoute } from 'astro'
import { brand } from '../../brand.ts'
import { buildDocument } from '../../openapi/document.ts'

/** The description of the API for tools. */
export const GET: APIRoute = () => Response.json(buildDocument(brand))
