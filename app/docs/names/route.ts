import { getDocNames } from "../document";

/** Returns titles for the command palette. Not cacheable: they depend on the reader's language. */
export async function GET() {
  return Response.json(await getDocNames(), { headers: { "Cache-Control": "no-store" } });
}
