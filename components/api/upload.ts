import type { AnyOperation } from "@/server/core/contract";
import { watchedFetch } from "./connection";
import { FormError } from "./form-error";
import { errorTexts } from "./response-texts";
import { promptSignIn } from "./resume";

/** Uploads over REST: tRPC carries only JSON. `id` is the record in the path. Throws a `FormError`. */
export async function upload(
  { path: template, method, upload: rule }: AnyOperation,
  file: File,
  id?: number,
): Promise<void> {
  const path = template.replace("{id}", String(id));
  const form = new FormData();
  form.append(rule!.field, file);
  const send = () => watchedFetch(path, { method, body: form });
  const response = await send();
  const last = response.status === 401 && (await promptSignIn()) ? await send() : response;
  if (last.ok) return;
  const body: unknown = await last.json().catch(() => undefined);
  throw new FormError({ ...errorTexts(body), status: last.status });
}
