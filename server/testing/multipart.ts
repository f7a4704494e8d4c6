import type { CallOptions } from "./http";

interface Part {
  name?: string;
  filename?: string | null;
  type?: string;
  bytes: Uint8Array | string;
}

const BOUNDARY = "----tellal-test-boundary";

/** Builds a form. `end: false` omits the closing delimiter, as an interrupted upload does. */
export function buildMultipartForm(
  parts: Part[],
  { end = true } = {},
): Required<Pick<CallOptions, "raw" | "headers">> {
  const pieces = parts.flatMap(({ name = "file", filename = "picture.jpg", type = "image/jpeg", bytes }) => {
    const filenameParameter = filename === null ? "" : `; filename="${filename}"`;
    const partHeader = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filenameParameter}\r\nContent-Type: ${type}\r\n\r\n`;
    return [Buffer.from(partHeader), Buffer.from(bytes as string), Buffer.from("\r\n")];
  });
  const closingDelimiter = end ? [Buffer.from(`--${BOUNDARY}--\r\n`)] : [];
  return {
    raw: Buffer.concat([...pieces, ...closingDelimiter]),
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
  };
}
