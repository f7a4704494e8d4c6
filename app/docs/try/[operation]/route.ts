import { getTryFormData } from "../../try-form-data";

/** Returns the data of the form that tries an operation. Not cacheable: language and session differ. */
export async function GET(_: Request, { params }: RouteContext<"/docs/try/[operation]">) {
  const formData = await getTryFormData((await params).operation);
  const headers = { "Cache-Control": "no-store" };
  if (!formData) return Response.json({ message: "Not found." }, { status: 404, headers });
  return Response.json(formData, { headers });
}
