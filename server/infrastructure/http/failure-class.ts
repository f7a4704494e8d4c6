/** Why a URL gave no HTTP response. Each has a message under `health.fixes`. */
type UnreachableReason =
  /** DNS does not know the host. */
  | "noName"
  /** DNS knows the host, but has no IP address for it. */
  | "noAddress"
  /** DNS is unavailable. */
  | "dnsAway"
  | "connectionRefused"
  | "connectionClosed"
  | "timeout"
  | "unroutable"
  | "plainHttp"
  | "notHttp"
  | "tls"
  | CertificateProblem;

export type CertificateProblem =
  | "selfSigned"
  | "chainIncomplete"
  | "untrusted"
  | "otherName"
  | "expired"
  | "notYetValid";

const CERTIFICATE_PROBLEMS: Record<string, CertificateProblem> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "selfSigned",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "chainIncomplete",
  UNABLE_TO_GET_ISSUER_CERT: "chainIncomplete",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "chainIncomplete",
  SELF_SIGNED_CERT_IN_CHAIN: "untrusted",
  CERT_UNTRUSTED: "untrusted",
  CERT_REJECTED: "untrusted",
  CERT_REVOKED: "untrusted",
  CERT_CHAIN_TOO_LONG: "untrusted",
  CERT_SIGNATURE_FAILURE: "untrusted",
  INVALID_CA: "untrusted",
  INVALID_PURPOSE: "untrusted",
  HOSTNAME_MISMATCH: "otherName",
  ERR_TLS_CERT_ALTNAME_INVALID: "otherName",
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "notYetValid",
};

const CONNECTION_PROBLEMS: Record<string, UnreachableReason> = {
  ENOTFOUND: "noName",
  ENODATA: "noAddress",
  EAI_AGAIN: "dnsAway",
  EAI_FAIL: "dnsAway",
  ESERVFAIL: "dnsAway",
  ECONNREFUSED: "connectionRefused",
  ECONNRESET: "connectionClosed",
  EPIPE: "connectionClosed",
  UND_ERR_SOCKET: "connectionClosed",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  EHOSTUNREACH: "unroutable",
  ENETUNREACH: "unroutable",
  EADDRNOTAVAIL: "unroutable",
};

/** OpenSSL errors for a response that is not TLS. */
const NOT_TLS_ERROR =
  /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|wrong version number|packet length/i;

interface ErrorLike {
  /** The `TimeoutError` of an `AbortSignal` has a number here. */
  code?: string | number;
  name?: string;
  message?: string;
  cause?: unknown;
  /** Set with `ERR_TLS_CERT_ALTNAME_INVALID`. */
  cert?: CertificateNames;
}

interface CertificateNames {
  subjectaltname?: string;
  subject?: { CN?: string | string[] };
}

export interface ClassifiedFailure {
  reason: UnreachableReason | undefined;
  code: string | undefined;
  names: string[];
}

/** Classifies the first error with a known code in a `cause` chain. */
export function classifyConnectionFailure(error: unknown): ClassifiedFailure {
  let unknownCode: string | undefined;
  for (
    let current = error as ErrorLike | undefined;
    current;
    current = current.cause as ErrorLike | undefined
  ) {
    const code = current.name === "TimeoutError" ? "ETIMEDOUT" : current.code;
    if (typeof code !== "string") continue;
    const reason = findReason(code, current.message);
    if (reason) return { reason, code, names: current.cert ? listCertificateNames(current.cert) : [] };
    unknownCode ??= code;
  }
  return { reason: undefined, code: unknownCode, names: [] };
}

function findReason(code: string, message = ""): UnreachableReason | undefined {
  if (NOT_TLS_ERROR.test(`${code} ${message}`)) return "plainHttp";
  if (code === "EPROTO" || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) {
    return CERTIFICATE_PROBLEMS[code] ?? "tls";
  }
  if (code.startsWith("HPE_")) return "notHttp";
  return CERTIFICATE_PROBLEMS[code] ?? CONNECTION_PROBLEMS[code];
}

export function findCertificateProblem(code: string): CertificateProblem | undefined {
  return CERTIFICATE_PROBLEMS[code];
}

/** Certificates of shared hosts contain hundreds of names. */
const MAX_CERTIFICATE_NAMES = 5;

export function listCertificateNames({ subjectaltname, subject }: CertificateNames): string[] {
  // `DNS:a.example.com, IP Address:127.0.0.1`
  const names = subjectaltname?.split(", ").map((each) => each.slice(each.indexOf(":") + 1));
  const candidates = names ?? [subject?.CN].flat();
  return candidates.filter((each): each is string => Boolean(each)).slice(0, MAX_CERTIFICATE_NAMES);
}
