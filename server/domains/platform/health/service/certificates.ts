import { env } from "@/server/core/env";
import { portalUrl } from "@/server/core/portal";
import { DAY } from "@/server/core/time";
import { readCertificate } from "@/server/infrastructure/http/certificate";
import { type CertificateProblem, certificateProblem } from "@/server/infrastructure/http/failure-class";
import { OutboundError } from "@/server/infrastructure/http/outbound";
import type { HealthRow } from "../contract";
import type { Work } from "./check";
import { type PartState, unmeasured } from "./part-state";

/** Most proxies renew 30 days before expiry, so a renewal is late by then. */
const ENDS_SOON = 14 * DAY;
const ENDS_NOW = 3 * DAY;

const DOMAINS_MAX = 3;

function lightOfEnd(end: Date): HealthRow["light"] {
  const left = end.getTime() - Date.now();
  if (left < ENDS_NOW) return "red";
  return left < ENDS_SOON ? "yellow" : "green";
}

const daysLeft = (end: Date) => ({
  key: "days",
  params: { count: Math.floor((end.getTime() - Date.now()) / DAY) },
});

/** Checks whether browsers accept the certificate of `APP_URL`, and when it expires. */
export async function certificate(): Promise<PartState | undefined> {
  const { APP_URL: url } = env();
  if (!url.startsWith("https:")) return undefined;
  const result = await readCertificate({ url, allowsOwnUrl: true }).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
  });
  if (!result) return unmeasured({ key: "notReached" });
  const { end, names, problem } = result;
  const value = daysLeft(end);
  if (problem) {
    const params = { url, names: names.join(", ") };
    return { light: "red", value, code: problem.code, fix: { key: problem.reason, params } };
  }
  const light = lightOfEnd(end);
  return { light, value, ...(light !== "green" && { fix: { key: "certificate", params: { url } } }) };
}

const VERIFIED = { verifiedAt: { not: null } };

export async function portalCertificates({ db }: Pick<Work, "db">): Promise<PartState | undefined> {
  const failing = await db.resellerPortal.findMany({
    where: { ...VERIFIED, failingSince: { not: null } },
    orderBy: { failingSince: "asc" },
    select: { domain: true, checks: true },
  });
  const refused = failing.flatMap(({ domain, checks }) => {
    const problem = problemOf(checks);
    return problem ? [{ domain, ...problem }] : [];
  });
  return refusedSight(refused) ?? endSight({ db });
}

interface Problem {
  reason: CertificateProblem;
  code: string;
  names: string[];
}

/** Parses the detail of a failed portal check, for example `ERR_TLS_CERT_ALTNAME_INVALID, a.example.com`. */
function problemOf(checks: unknown): Problem | undefined {
  const list = checks as Array<{ name: string; ok: boolean; detail: string | null }>;
  const failed = list.find(({ name, ok }) => name === "answer" && !ok);
  const [code = "", ...names] = failed?.detail?.split(", ") ?? [];
  const reason = certificateProblem(code);
  return reason && { reason, code, names };
}

function refusedSight(refused: ReadonlyArray<Problem & { domain: string }>): PartState | undefined {
  const [first] = refused;
  if (!first) return undefined;
  const domains = refused.slice(0, DOMAINS_MAX).map(({ domain }) => domain);
  return {
    light: "red",
    value: { key: "refusedCertificates", params: { domains: domains.join(", ") } },
    code: first.code,
    fix: {
      key: first.reason,
      params: { url: portalUrl(first.domain), names: first.names.join(", ") },
    },
  };
}

async function endSight({ db }: Pick<Work, "db">): Promise<PartState | undefined> {
  const ending = await db.resellerPortal.findMany({
    where: { ...VERIFIED, certificateEnd: { not: null } },
    orderBy: { certificateEnd: "asc" },
    take: DOMAINS_MAX,
    select: { domain: true, certificateEnd: true },
  });
  const unread = env().https
    ? await db.resellerPortal.count({ where: { ...VERIFIED, certificateEnd: null } })
    : 0;
  const [first] = ending;
  if (!first) return unread > 0 ? unmeasured({ key: "notReached" }) : undefined;
  const light = lightOfEnd(first.certificateEnd!);
  const value = daysLeft(first.certificateEnd!);
  if (light === "green") return unread > 0 ? unmeasured(value) : { light, value };
  const late = ending.filter((each) => lightOfEnd(each.certificateEnd!) !== "green");
  const domains = late.map(({ domain }) => domain).join(", ");
  return { light, value, fix: { key: "portal_certificates", params: { domains } } };
}
