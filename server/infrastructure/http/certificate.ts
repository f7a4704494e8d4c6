import { isIP } from "node:net";
import { connect } from "node:tls";
import { SECOND } from "@/server/core/time";
import { OutboundError, type OutboundRequest, pinned } from "./outbound";

const TIMEOUT = 4 * SECOND;

/**
 * Until when the certificate at an https address is good, trusted or not. By the rules of `outbound()`. Throws
 * {@link OutboundError}.
 */
export async function certificateEnd(
  call: Pick<OutboundRequest, "url" | "addresses" | "own">,
): Promise<Date> {
  const { url, address } = await pinned({ ...call, timeout: TIMEOUT });
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: address,
      port: Number(url.port || 443),
      ...(!isIP(host) && { servername: host }),
      // Nothing is sent: only what is shown is read, and whether others trust it shows elsewhere.
      rejectUnauthorized: false,
      timeout: TIMEOUT,
    });
    const fail = (reason: "timeout" | "unreachable", cause?: unknown) => {
      socket.destroy();
      reject(new OutboundError(reason, cause));
    };
    socket.once("error", (cause) => fail("unreachable", cause));
    socket.once("timeout", () => fail("timeout"));
    socket.once("secureConnect", () => {
      const end = new Date(socket.getPeerCertificate().valid_to);
      socket.destroy();
      if (Number.isNaN(end.getTime())) reject(new OutboundError("unreachable"));
      else resolve(end);
    });
  });
}
