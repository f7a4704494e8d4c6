import { docNames } from "../document";

/** What the documentation has, by name, for the panel's search. It depends on the reader, so nobody else keeps it. */
export async function GET() {
  return Response.json(await docNames(), { headers: { "Cache-Control": "no-store" } });
}
