import type { CallOptions } from "./http";

interface Part {
  name?: string;
  filename?: string | null;
  type?: string;
  bytes: Uint8Array | string;
}

const BOUNDARY = "----tellal-test-boundary";

export function multipartForm(
  parts: Part[],
  { end = true } = {},
): Required<Pick<CallOptions, "raw" | "headers">> {
  const pieces = parts.flatMap(({ name = "file", filename = "picture.jpg", type = "image/jpeg", bytes }) => {
    const file = filename === null ? "" : `; filename="${filename}"`;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\nContent-Type: ${type}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(bytes as string), Buffer.from("\r\n")];
  });
  const closing = end ? [Buffer.from(`--${BOUNDARY}--\r\n`)] : [];
  return {
    raw: Buffer.concat([...pieces, ...closing]),
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
  };
}
