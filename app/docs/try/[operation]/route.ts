import { getTrySpec } from "../../try-spec";

/** Returns the data of the form that tries an operation. Not cacheable: language and session differ. */
export async function GET(_: Request, { params }: RouteContext<"/docs/try/[operation]">) {
  const spec = await getTrySpec((await params).operation);
  const headers = { "Cache-Control": "no-store" };
  if (!spec) return Response.json({ message: "Not found." }, { status: 404, headers });
  return Response.json(spec, { headers });
}
