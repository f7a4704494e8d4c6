import { FormError, toFormError } from "./form-error";
import { errorTexts } from "./response-texts";
import { promptSignIn } from "./resume";

export interface SentFile {
  done: Promise<unknown>;
  cancel: () => void;
}

/** Uploads with progress, which `fetch` lacks. The `FormError` of `done` has no status if it was cut off. */
export function sendFile(
  { path, field }: { path: string; field: string },
  file: File,
  onProgress: (share: number) => void,
): SentFile {
  let request: XMLHttpRequest | undefined;
  let isCanceled = false;
  const attempt = () =>
    new Promise<unknown>((resolve, reject) => {
      if (isCanceled) return reject(new FormError({}));
      const form = new FormData();
      form.append(field, file);
      request = new XMLHttpRequest();
      request.open("POST", path);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
      request.onerror = () => reject(new FormError({}));
      request.onabort = () => reject(new FormError({}));
      request.onload = () => {
        const { status, responseText } = request!;
        const body = parsed(responseText);
        if (status >= 200 && status < 300) resolve(body);
        else reject(toFormError(new FormError({ ...errorTexts(body), status, body })));
      };
      request.send(form);
    });
  const done = attempt().catch(async (error: FormError) => {
    if (error.status === 401 && (await promptSignIn())) return attempt();
    throw error;
  });
  return {
    done,
    cancel: () => {
      isCanceled = true;
      request?.abort();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
