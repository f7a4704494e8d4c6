import { expect, it } from "vitest";
import { domains } from "@/server/domains";
import { declared, domain, job, register } from "./domain";
import { declareErrors, errorSpec, refuse } from "./errors";

it("knows every listed domain and its errors", () => {
  expect(declared()).toHaveLength(Object.keys(domains).length);
  expect(errorSpec("site_needs_upgrade")).toMatchObject({ status: 403, shape: "failure" });
  expect(refuse("passkeys_full").status).toBe(422);
});

it("refuses a word that two domains declare, whatever it names", () => {
  const before = declared();
  const run = async () => {};
  const twice = [
    domain({ jobs: { sweep: job(run) } }),
    domain({ tokens: { dsk: "a key" } }),
    domain({ audit: ["note.created"] }),
    domain({ mails: ["verify_email"] }),
    domain({ exports: { sites: async () => [] } }),
  ];
  for (const each of twice) expect(() => register([each, each])).toThrow(/^two domains declare/);
  // A rejected list changes nothing.
  expect(declared()).toBe(before);
});

it("refuses an error code that two tables declare", () => {
  const gone = { status: 410, shape: "message" } as const;
  expect(() => declareErrors([{ one_of_these: gone }, { one_of_these: gone }])).toThrow(
    'the error "one_of_these" is declared twice',
  );
});
