import { docNames } from "../document";

/** Titles of the documentation for the palette. Not cacheable: they depend on the reader's language. */
export async function GET() {
  return Response.json(await docNames(), { headers: { "Cache-Control": "no-store" } });
}
