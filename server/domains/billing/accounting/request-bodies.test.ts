import { describe, expect, it } from "vitest";
import * as z from "zod";
import { splitVat } from "@/server/core/money";
import { advanceUntilDone, makeDocument } from "@/server/testing/invoices";
import vendorSchemas from "@/server/testing/parasut-bodies.json" with { type: "json" };
import { startFakeServices } from "@/server/testing/sandboxes";
import { startTestServer } from "@/server/testing/server";
import { findUnitPrice } from "./service/unit-price";

/* Validates request bodies against the vendor's API schema (4.0.0); rejects unknown and read-only fields. */

const fakes = await startFakeServices();
await startTestServer({ env: { ...fakes.env, RATE_LIMITS: "relaxed", PARASUT_PRODUCT_ID: "900" } });

const SCHEMAS = Object.fromEntries(
  Object.entries(vendorSchemas).map(([name, schema]) => [name, z.fromJSONSchema(schema as never)]),
);
/** "POST /v4/900/sales_invoices/12" becomes "POST sales_invoices". */
const toSchemaName = (requestLine: string) => requestLine.replace(/^(\w+) .*?\/([a-z_]+)(\/\d+)?$/, "$1 $2");

describe("request bodies", () => {
  it("match the vendor's schema", async () => {
    const sentBodies: Array<{ name: string; body: string }> = [];
    fakes.onCall = (line, body) => {
      if (body.startsWith("{")) sentBodies.push({ name: toSchemaName(line), body });
    };
    const documents = [
      await makeDocument({ billTo: { tax_number: "1000000009" } }),
      await makeDocument({ billTo: { tax_number: "1000000009", address: "Yeni Cad. 3" } }),
      await makeDocument({ billTo: { kind: "person", tax_number: null, tax_office: null, email: null } }),
    ];
    for (const { id } of documents) await advanceUntilDone([id]);
    expect(new Set(sentBodies.map(({ name }) => name))).toEqual(new Set(Object.keys(SCHEMAS)));
    for (const { name, body } of sentBodies)
      expect(SCHEMAS[name]!.safeParse(JSON.parse(body)).error?.issues ?? [], name).toEqual([]);
  });

  it("fail the schema with an unknown value or a read-only field", () => {
    const buildBody = (attributes: object) => ({ data: { type: "sales_invoices", attributes } });
    const isValid = (attributes: object) =>
      SCHEMAS["POST sales_invoices"]!.safeParse(buildBody(attributes)).success;
    const validAttributes = { item_type: "invoice", issue_date: "2027-01-04", currency: "TRL" };
    expect(isValid(validAttributes)).toBe(true);
    expect(isValid({ ...validAttributes, item_type: "fatura" })).toBe(false);
    expect(isValid({ ...validAttributes, currency: "TRY" })).toBe(false);
    expect(isValid({ ...validAttributes, net_total: 1 })).toBe(false);
  });
});

describe("findUnitPrice", () => {
  it.each([0, 1, 10, 20])(
    "at %i percent VAT, returns a net price for each gross amount that has one, else undefined",
    (vatRate) => {
      const reachableGross = new Set<number>();
      for (let net = 1; net <= 20_000; net++)
        reachableGross.add(net + Math.floor((2 * net * vatRate + 100) / 200));
      for (let gross = 1; gross <= 20_000; gross++) {
        const net = findUnitPrice(gross, vatRate);
        expect(net !== undefined, String(gross)).toBe(reachableGross.has(gross));
        if (net !== undefined) expect(net + Math.floor((2 * net * vatRate + 100) / 200)).toBe(gross);
      }
    },
  );

  it("returns a price for whole lira that equals our stored net amount", () => {
    for (const lira of [1, 2, 3, 999, 2999, 3999, 9999, 24_999]) {
      expect(findUnitPrice(lira * 100, 20)).toBe(splitVat(lira * 100, 20).net);
    }
  });
});
