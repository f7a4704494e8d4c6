import { trySpec } from "../../try";

/** What a form to try an operation is made of. It depends on the reader, so nobody else keeps it. */
export async function GET(_: Request, { params }: RouteContext<"/docs/try/[operation]">) {
  const spec = await trySpec((await params).operation);
  const headers = { "Cache-Control": "no-store" };
  if (!spec) return Response.json({ message: "Not found." }, { status: 404, headers });
  return Response.json(spec, { headers });
}
