import { expect, it } from "vitest";
import { domains } from "@/server/domains";
import { domain, job, registerDomains, registeredDomains } from "./domain";
import { declareErrors, getErrorSpec, refuse } from "./errors";

it("registers every domain and its errors", () => {
  expect(registeredDomains()).toHaveLength(Object.keys(domains).length);
  expect(getErrorSpec("site_needs_upgrade")).toMatchObject({ status: 403, shape: "failure" });
  expect(refuse("passkeys_full").status).toBe(422);
});

it("rejects a name that two domains declare", () => {
  const domainsBefore = registeredDomains();
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
  expect(registeredDomains()).toBe(domainsBefore);
});

it("rejects an error code that two tables declare", () => {
  const spec = { status: 410, shape: "message" } as const;
  expect(() => declareErrors([{ one_of_these: spec }, { one_of_these: spec }])).toThrow(
    'the error "one_of_these" is declared twice',
  );
});
