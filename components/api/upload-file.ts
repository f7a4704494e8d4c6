import { monitoredFetch } from "@/components/ui/connectivity";
import type { AnyOperation } from "@/server/core/contract";
import { FormError } from "./form-error";
import { parseErrorTexts } from "./parse-error-texts";
import { promptSignIn } from "./session-resume";

/** Uploads over REST: tRPC carries only JSON. `id` is the record in the path. Throws a `FormError`. */
export async function uploadFile(
  { path: pathTemplate, method, upload: uploadRule }: AnyOperation,
  file: File,
  recordId?: number,
): Promise<void> {
  const path = pathTemplate.replace("{id}", String(recordId));
  const form = new FormData();
  form.append(uploadRule!.field, file);
  const send = () => monitoredFetch(path, { method, body: form });
  const response = await send();
  const finalResponse = response.status === 401 && (await promptSignIn()) ? await send() : response;
  if (finalResponse.ok) return;
  const body: unknown = await finalResponse.json().catch(() => undefined);
  throw new FormError({ ...parseErrorTexts(body), status: finalResponse.status });
}
