import { FormError, toFormError } from "./form-error";
import { parseErrorTexts } from "./parse-error-texts";
import { promptSignIn } from "./session-resume";

export interface FileUpload {
  response: Promise<unknown>;
  cancel: () => void;
}

/** Uploads with progress, which `fetch` lacks. Without a response, the `FormError` has no status. */
export function uploadWithProgress(
  { path, field }: { path: string; field: string },
  file: File,
  onProgress: (fraction: number) => void,
): FileUpload {
  let request: XMLHttpRequest | undefined;
  let isCancelled = false;
  const attempt = () =>
    new Promise<unknown>((resolve, reject) => {
      if (isCancelled) return reject(new FormError({}));
      const form = new FormData();
      form.append(field, file);
      request = new XMLHttpRequest();
      request.open("POST", path);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
      request.onerror = () => reject(new FormError({}));
      request.onabort = () => reject(new FormError({}));
      request.onload = () => {
        const { status, responseText } = request!;
        const body = parseJson(responseText);
        if (status >= 200 && status < 300) resolve(body);
        else reject(toFormError(new FormError({ ...parseErrorTexts(body), status, body })));
      };
      request.send(form);
    });
  const response = attempt().catch(async (error: FormError) => {
    if (error.status === 401 && (await promptSignIn())) return attempt();
    throw error;
  });
  return {
    response,
    cancel: () => {
      isCancelled = true;
      request?.abort();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
