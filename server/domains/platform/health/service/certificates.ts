import { env } from "@/server/core/env";
import { buildPortalUrl } from "@/server/core/portal";
import { DAY } from "@/server/core/time";
import { readCertificate } from "@/server/infrastructure/http/certificate";
import { type CertificateProblem, findCertificateProblem } from "@/server/infrastructure/http/failure-class";
import { OutboundError } from "@/server/infrastructure/http/outbound";
import type { HealthRow } from "../contract";
import type { QueryContext } from "./check";
import { type PartState, toUnmeasuredState } from "./part-state";

/** Most proxies renew 30 days before expiry: at 14 days, the renewal is late. */
const YELLOW_BEFORE_MS = 14 * DAY;
const RED_BEFORE_MS = 3 * DAY;

const DOMAINS_MAX = 3;

function getExpiryLight(expiresAt: Date): HealthRow["light"] {
  const remainingMs = expiresAt.getTime() - Date.now();
  if (remainingMs < RED_BEFORE_MS) return "red";
  return remainingMs < YELLOW_BEFORE_MS ? "yellow" : "green";
}

const toDaysLeftMessage = (expiresAt: Date) => ({
  key: "days",
  params: { count: Math.floor((expiresAt.getTime() - Date.now()) / DAY) },
});

/** Checks whether browsers accept the certificate of `APP_URL`, and when it expires. */
export async function checkOwnCertificate(): Promise<PartState | undefined> {
  const { APP_URL: url } = env();
  if (!url.startsWith("https:")) return undefined;
  const certificate = await readCertificate({ url, allowsOwnUrl: true }).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
  });
  if (!certificate) return toUnmeasuredState({ key: "notReached" });
  const { expiresAt, names, problem } = certificate;
  const value = toDaysLeftMessage(expiresAt);
  if (problem) {
    const params = { url, names: names.join(", ") };
    return { light: "red", value, code: problem.code, fix: { key: problem.reason, params } };
  }
  const light = getExpiryLight(expiresAt);
  return { light, value, ...(light !== "green" && { fix: { key: "certificate", params: { url } } }) };
}

const VERIFIED_PORTAL = { verifiedAt: { not: null } };

export async function checkPortalCertificates({
  db,
}: Pick<QueryContext, "db">): Promise<PartState | undefined> {
  const failingPortals = await db.resellerPortal.findMany({
    where: { ...VERIFIED_PORTAL, failingSince: { not: null } },
    orderBy: { failingSince: "asc" },
    select: { domain: true, checks: true },
  });
  const refusedPortals = failingPortals.flatMap(({ domain, checks }) => {
    const problem = parseCertificateProblem(checks);
    return problem ? [{ domain, ...problem }] : [];
  });
  return toRefusedState(refusedPortals) ?? checkPortalExpiry({ db });
}

interface PortalProblem {
  reason: CertificateProblem;
  code: string;
  names: string[];
}

/** Parses the detail of a failed portal check, for example `ERR_TLS_CERT_ALTNAME_INVALID, a.example.com`. */
function parseCertificateProblem(checks: unknown): PortalProblem | undefined {
  const portalChecks = checks as Array<{ name: string; ok: boolean; detail: string | null }>;
  const failedCheck = portalChecks.find(({ name, ok }) => name === "answer" && !ok);
  const [code = "", ...names] = failedCheck?.detail?.split(", ") ?? [];
  const reason = findCertificateProblem(code);
  return reason && { reason, code, names };
}

function toRefusedState(
  refusedPortals: ReadonlyArray<PortalProblem & { domain: string }>,
): PartState | undefined {
  const [firstPortal] = refusedPortals;
  if (!firstPortal) return undefined;
  const domains = refusedPortals.slice(0, DOMAINS_MAX).map(({ domain }) => domain);
  return {
    light: "red",
    value: { key: "refusedCertificates", params: { domains: domains.join(", ") } },
    code: firstPortal.code,
    fix: {
      key: firstPortal.reason,
      params: { url: buildPortalUrl(firstPortal.domain), names: firstPortal.names.join(", ") },
    },
  };
}

async function checkPortalExpiry({ db }: Pick<QueryContext, "db">): Promise<PartState | undefined> {
  const endingPortals = await db.resellerPortal.findMany({
    where: { ...VERIFIED_PORTAL, certificateEnd: { not: null } },
    orderBy: { certificateEnd: "asc" },
    take: DOMAINS_MAX,
    select: { domain: true, certificateEnd: true },
  });
  const unreadCount = env().usesHttps
    ? await db.resellerPortal.count({ where: { ...VERIFIED_PORTAL, certificateEnd: null } })
    : 0;
  const [firstPortal] = endingPortals;
  if (!firstPortal) return unreadCount > 0 ? toUnmeasuredState({ key: "notReached" }) : undefined;
  const light = getExpiryLight(firstPortal.certificateEnd!);
  const value = toDaysLeftMessage(firstPortal.certificateEnd!);
  if (light === "green") return unreadCount > 0 ? toUnmeasuredState(value) : { light, value };
  const latePortals = endingPortals.filter((each) => getExpiryLight(each.certificateEnd!) !== "green");
  const domains = latePortals.map(({ domain }) => domain).join(", ");
  return { light, value, fix: { key: "portal_certificates", params: { domains } } };
}
