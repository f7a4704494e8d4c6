import { describe, expect, it } from "vitest";
import * as z from "zod";
import { splitVat } from "@/server/core/money";
import { advanceUntilDone, makeDocument } from "@/server/testing/invoices";
import described from "@/server/testing/parasut-bodies.json" with { type: "json" };
import { fakeServices } from "@/server/testing/sandboxes";
import { testServer } from "@/server/testing/server";
import { unitPriceOf } from "./service/amount";

/* Validates request bodies against the vendor's API schema (4.0.0); rejects unknown and read-only fields. */

const peer = await fakeServices();
await testServer({ env: { ...peer.env, RATE_LIMITS: "relaxed", PARASUT_PRODUCT_ID: "900" } });

const SCHEMAS = Object.fromEntries(
  Object.entries(described).map(([name, schema]) => [name, z.fromJSONSchema(schema as never)]),
);
const nameOf = (line: string) => line.replace(/^(\w+) .*?\/([a-z_]+)(\/\d+)?$/, "$1 $2");

describe("request bodies", () => {
  it("match the vendor's schema", async () => {
    const sent: Array<{ name: string; body: string }> = [];
    peer.onCall = (line, body) => {
      if (body.startsWith("{")) sent.push({ name: nameOf(line), body });
    };
    const documents = [
      await makeDocument({ billTo: { tax_number: "1000000009" } }),
      await makeDocument({ billTo: { tax_number: "1000000009", address: "Yeni Cad. 3" } }),
      await makeDocument({ billTo: { kind: "person", tax_number: null, tax_office: null, email: null } }),
    ];
    for (const { id } of documents) await advanceUntilDone([id]);
    expect(new Set(sent.map(({ name }) => name))).toEqual(new Set(Object.keys(SCHEMAS)));
    for (const { name, body } of sent)
      expect(SCHEMAS[name]!.safeParse(JSON.parse(body)).error?.issues ?? [], name).toEqual([]);
  });

  it("fail the schema with an unknown value or field", () => {
    const body = (attributes: object) => ({ data: { type: "sales_invoices", attributes } });
    const fits = (attributes: object) => SCHEMAS["POST sales_invoices"]!.safeParse(body(attributes)).success;
    const valid = { item_type: "invoice", issue_date: "2027-01-04", currency: "TRL" };
    expect(fits(valid)).toBe(true);
    expect(fits({ ...valid, item_type: "fatura" })).toBe(false);
    expect(fits({ ...valid, currency: "TRY" })).toBe(false);
    expect(fits({ ...valid, net_total: 1 })).toBe(false);
  });
});

describe("unitPriceOf", () => {
  it.each([0, 1, 10, 20])(
    "at %i percent VAT, returns a net price that gives the exact gross amount, or undefined",
    (rate) => {
      const reachable = new Set<number>();
      for (let net = 1; net <= 20_000; net++) reachable.add(net + Math.floor((2 * net * rate + 100) / 200));
      for (let gross = 1; gross <= 20_000; gross++) {
        const net = unitPriceOf(gross, rate);
        expect(net !== undefined, String(gross)).toBe(reachable.has(gross));
        if (net !== undefined) expect(net + Math.floor((2 * net * rate + 100) / 200)).toBe(gross);
      }
    },
  );

  it("exists for whole lira and equals the net amount in our records", () => {
    for (const lira of [1, 2, 3, 999, 2999, 3999, 9999, 24_999]) {
      expect(unitPriceOf(lira * 100, 20)).toBe(splitVat(lira * 100, 20).net);
    }
  });
});
