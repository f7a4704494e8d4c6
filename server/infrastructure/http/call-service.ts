import { request } from "undici";
import { OutboundError } from "./outbound-error";

/** Some services reject calls without a user agent, and undici sends none. */
export const USER_AGENT = "Tellal";

interface ServiceRequest {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  form?: Record<string, string>;
  /** Milliseconds for the complete response. */
  timeout: number;
  maxBytes: number;
}

export interface ServiceResponse {
  status: number;
  text: string;
}

/** Calls a URL of the settings without following redirects. Throws {@link OutboundError}. */
export async function callService(
  url: string | URL,
  { method = "GET", headers, form, timeout, maxBytes }: ServiceRequest,
): Promise<ServiceResponse> {
  const signal = AbortSignal.timeout(timeout);
  try {
    // Not `fetch`: after a garbage collection, its signal does not abort a stalled body (nodejs/undici#4068).
    const { statusCode, body } = await request(url, {
      method,
      headers: {
        "user-agent": USER_AGENT,
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
        ...headers,
      },
      body: form && new URLSearchParams(form).toString(),
      signal,
    });
    return { status: statusCode, text: (await readBodyBytes(body, maxBytes)).toString("utf8") };
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError(signal.aborted ? "timeout" : "unreachable", error);
  }
}

/** Reads a body to its end. Throws {@link OutboundError} `too_large` above `maxBytes`. */
export async function readBodyBytes(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundError("too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
