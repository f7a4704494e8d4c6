import { env } from "@/server/core/env";
import { buildPortalUrl, PORTAL_PROOF_PATH } from "@/server/core/portal";
import { SECOND } from "@/server/core/time";
import { createDnsResolver } from "@/server/infrastructure/dns-resolver";
import { readCertificate } from "@/server/infrastructure/http/certificate";
import {
  classifyConnectionFailure,
  findCertificateProblem,
} from "@/server/infrastructure/http/failure-class";
import { callOutbound, OutboundError } from "@/server/infrastructure/http/outbound";
import type { PORTAL_CHECKS } from "./policy";

/** Subdomain whose TXT record contains the proof. */
export const PROOF_SUBDOMAIN = "_tellal";

const ANSWER_TIMEOUT_MS = 5 * SECOND;
const MAX_DETAIL_LENGTH = 200;

export interface PortalCheckResult {
  name: (typeof PORTAL_CHECKS)[number];
  ok: boolean;
  detail: string | null;
}

/** Demo mode needs no proof for `.localhost`: browsers resolve it to this machine. */
export function isProofExempt(domain: string): boolean {
  return !env().production && domain.endsWith(".localhost");
}

export async function checkProofRecord({
  domain,
  proof,
}: {
  domain: string;
  proof: string;
}): Promise<PortalCheckResult> {
  if (isProofExempt(domain)) return { name: "record", ok: true, detail: null };
  try {
    const records = await createDnsResolver().resolveTxt(`${PROOF_SUBDOMAIN}.${domain}`);
    const values = records.map((parts) => parts.join("").trim());
    return { name: "record", ok: values.includes(proof), detail: toPrintableText(values) };
  } catch (error) {
    return { name: "record", ok: false, detail: getFailureDetail(error) };
  }
}

export async function checkAddressAndAnswer({
  domain,
  proof,
}: {
  domain: string;
  proof: string;
}): Promise<PortalCheckResult[]> {
  if (isProofExempt(domain))
    return (["address", "answer"] as const).map((name) => ({ name, ok: true, detail: null }));
  const addresses = await resolveAddresses(domain);
  if (addresses.length === 0)
    return (["address", "answer"] as const).map((name) => ({ name, ok: false, detail: null }));
  const addressCheck = { name: "address", ok: true, detail: toPrintableText(addresses) } as const;
  try {
    const url = buildPortalUrl(domain) + PORTAL_PROOF_PATH;
    const { status, text } = await callOutbound({
      method: "GET",
      url,
      addresses,
      timeout: ANSWER_TIMEOUT_MS,
    });
    const ok = status === 200 && text.split("\n").includes(proof);
    return [addressCheck, { name: "answer", ok, detail: ok ? null : String(status) }];
  } catch (error) {
    return [addressCheck, { name: "answer", ok: false, detail: getFailureDetail(error) }];
  }
}

/** Returns when the domain's certificate expires; null without a readable certificate. */
export async function readCertificateEnd({ domain }: { domain: string }): Promise<Date | null> {
  const url = buildPortalUrl(domain);
  if (isProofExempt(domain) || !url.startsWith("https:")) return null;
  const addresses = await resolveAddresses(domain);
  return readCertificate({ url, addresses }).then(
    ({ expiresAt }) => expiresAt,
    (error: unknown) => {
      if (error instanceof OutboundError) return null;
      throw error;
    },
  );
}

async function resolveAddresses(domain: string): Promise<string[]> {
  const ignoreError = () => [];
  const results = await Promise.all([
    createDnsResolver().resolve4(domain).catch(ignoreError),
    createDnsResolver().resolve6(domain).catch(ignoreError),
  ]);
  return results.flat();
}

/** Replaces control characters: a record may contain any bytes, and PostgreSQL rejects NUL. */
function toPrintableText(values: string[]): string {
  return values.join(", ").replace(/\p{C}/gu, "\uFFFD").slice(0, MAX_DETAIL_LENGTH);
}

/** Returns the detail of a failed check: an error code and, for a rejected certificate, its names. */
export function getFailureDetail(error: unknown): string {
  if (error instanceof OutboundError) return getCertificateDetail(error) ?? error.reason;
  return (error as NodeJS.ErrnoException).code ?? "error";
}

function getCertificateDetail(error: OutboundError): string | undefined {
  const { code, names } = classifyConnectionFailure(error);
  return code && findCertificateProblem(code) && toPrintableText([code, ...names]);
}
