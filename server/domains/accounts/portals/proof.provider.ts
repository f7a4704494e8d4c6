import { env } from "@/server/core/env";
import { PORTAL_PROOF_PATH, portalUrl } from "@/server/core/portal";
import { SECOND } from "@/server/core/time";
import { readCertificate } from "@/server/infrastructure/http/certificate";
import { certificateProblem, classifyFailure } from "@/server/infrastructure/http/failure-class";
import { OutboundError, outbound } from "@/server/infrastructure/http/outbound";
import { resolver } from "@/server/infrastructure/resolver";
import type { CHECKS } from "./policy";

/** Subdomain whose TXT record holds the proof. */
export const PROOF_LABEL = "_tellal";

const ANSWER_TIMEOUT = 5 * SECOND;
const DETAIL_MAX = 200;

export interface PortalCheckResult {
  name: (typeof CHECKS)[number];
  ok: boolean;
  detail: string | null;
}

/** Demo mode needs no proof for `.localhost`: browsers resolve it to this machine. */
export function needsNoProof(domain: string): boolean {
  return !env().production && domain.endsWith(".localhost");
}

export async function checkRecord({
  domain,
  proof,
}: {
  domain: string;
  proof: string;
}): Promise<PortalCheckResult> {
  if (needsNoProof(domain)) return { name: "record", ok: true, detail: null };
  try {
    const records = await resolver().resolveTxt(`${PROOF_LABEL}.${domain}`);
    const values = records.map((parts) => parts.join("").trim());
    return { name: "record", ok: values.includes(proof), detail: printable(values) };
  } catch (error) {
    return { name: "record", ok: false, detail: detailOf(error) };
  }
}

/** Checks that the domain resolves and that this installation responds there with the proof. */
export async function checkAnswer({
  domain,
  proof,
}: {
  domain: string;
  proof: string;
}): Promise<PortalCheckResult[]> {
  if (needsNoProof(domain))
    return (["address", "answer"] as const).map((name) => ({ name, ok: true, detail: null }));
  const addresses = await addressesOf(domain);
  if (addresses.length === 0)
    return (["address", "answer"] as const).map((name) => ({ name, ok: false, detail: null }));
  const address = { name: "address", ok: true, detail: printable(addresses) } as const;
  try {
    const url = portalUrl(domain) + PORTAL_PROOF_PATH;
    const { status, text } = await outbound({ method: "GET", url, addresses, timeout: ANSWER_TIMEOUT });
    const ok = status === 200 && text.split("\n").includes(proof);
    return [address, { name: "answer", ok, detail: ok ? null : String(status) }];
  } catch (error) {
    return [address, { name: "answer", ok: false, detail: detailOf(error) }];
  }
}

/** Returns when the domain's certificate expires; null without a readable certificate. */
export async function checkCertificate({ domain }: { domain: string }): Promise<Date | null> {
  const url = portalUrl(domain);
  if (needsNoProof(domain) || !url.startsWith("https:")) return null;
  const addresses = await addressesOf(domain);
  return readCertificate({ url, addresses }).then(
    ({ end }) => end,
    (error: unknown) => {
      if (error instanceof OutboundError) return null;
      throw error;
    },
  );
}

async function addressesOf(domain: string): Promise<string[]> {
  const none = () => [];
  const results = await Promise.all([
    resolver().resolve4(domain).catch(none),
    resolver().resolve6(domain).catch(none),
  ]);
  return results.flat();
}

/** Cleans foreign text: a record may hold any bytes, and PostgreSQL rejects NUL. */
function printable(values: string[]): string {
  return values.join(", ").replace(/\p{C}/gu, "\uFFFD").slice(0, DETAIL_MAX);
}

/** Returns the detail of a failed check: an error code and, for a rejected certificate, its names. */
export function detailOf(error: unknown): string {
  if (error instanceof OutboundError) return certificateCode(error) ?? error.reason;
  return (error as NodeJS.ErrnoException).code ?? "error";
}

function certificateCode(error: OutboundError): string | undefined {
  const { code, names } = classifyFailure(error);
  return code && certificateProblem(code) && printable([code, ...names]);
}
