import { expect, it } from "vitest";
import { domains } from "@/server/domains";
import { domain, getRegisteredDomains, job, registerDomains } from "./domain";
import { createError, declareErrors, getErrorSpec } from "./errors";

it("registers every domain and its errors", () => {
  expect(getRegisteredDomains()).toHaveLength(Object.keys(domains).length);
  expect(getErrorSpec("site_needs_upgrade")).toMatchObject({ status: 403, shape: "failure" });
  expect(createError("passkeys_full").status).toBe(422);
});

it("rejects a name that two domains declare", () => {
  const domainsBefore = getRegisteredDomains();
  const run = async () => {};
  const conflictingDomains = [
    domain({ jobs: { sweep: job(run) } }),
    domain({ tokens: { dsk: "a key" } }),
    domain({ audit: ["note.created"] }),
    domain({ mails: ["verify_email"] }),
    domain({ exports: { sites: async () => [] } }),
  ];
  for (const each of conflictingDomains)
    expect(() => registerDomains([each, each])).toThrow(/^two domains declare/);
  expect(getRegisteredDomains()).toBe(domainsBefore);
});

it("rejects an error code that two tables declare", () => {
  const spec = { status: 410, shape: "message" } as const;
  expect(() => declareErrors([{ one_of_these: spec }, { one_of_these: spec }])).toThrow(
    'the error "one_of_these" is declared twice',
  );
});
