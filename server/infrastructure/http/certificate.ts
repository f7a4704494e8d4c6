import { isIP } from "node:net";
import { connect } from "node:tls";
import { SECOND } from "@/server/core/time";
import { type CertificateProblem, findCertificateProblem, listCertificateNames } from "./failure-class";
import { OutboundError, type OutboundRequest, resolveOutboundTarget } from "./outbound";

const CERTIFICATE_TIMEOUT_MS = 4 * SECOND;

export interface CertificateInfo {
  expiresAt: Date;
  names: string[];
  /** Why it is not trusted, with the code of OpenSSL or Node.js. */
  problem: { reason: CertificateProblem; code: string } | undefined;
}

/** Reads a certificate, trusted or not, by the rules of `callOutbound()`. Throws {@link OutboundError}. */
export async function readCertificate(
  call: Pick<OutboundRequest, "url" | "addresses" | "allowsOwnUrl">,
): Promise<CertificateInfo> {
  const { url, address } = await resolveOutboundTarget({ ...call, timeout: CERTIFICATE_TIMEOUT_MS });
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: address,
      port: Number(url.port || 443),
      ...(!isIP(host) && { servername: host }),
      // Safe, because nothing is sent: untrusted certificates must be readable, too.
      rejectUnauthorized: false,
      timeout: CERTIFICATE_TIMEOUT_MS,
    });
    const fail = (reason: "timeout" | "unreachable", cause?: unknown) => {
      socket.destroy();
      reject(new OutboundError(reason, cause));
    };
    socket.once("error", (cause) => fail("unreachable", cause));
    socket.once("timeout", () => fail("timeout"));
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerCertificate();
      const expiresAt = new Date(certificate.valid_to);
      // Typed as an error, but it is a code.
      const code = socket.authorized ? undefined : String(socket.authorizationError);
      socket.destroy();
      if (Number.isNaN(expiresAt.getTime())) return reject(new OutboundError("unreachable"));
      const problem =
        code === undefined ? undefined : { reason: findCertificateProblem(code) ?? "untrusted", code };
      resolve({ expiresAt, names: listCertificateNames(certificate), problem });
    });
  });
}
