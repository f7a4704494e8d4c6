import { describe, expect, it } from "vitest";
import { inlineRefs, jsonSchema, sampleOf } from "@/server/transports/rest/openapi/json-schema";
import { handlers } from "@/server/transports/rest/operations";
import { fieldsOf } from "./schema-text";

const operations = handlers().map(({ operation }) => operation);

describe("the reference", () => {
  it("shows sample bodies that pass validation, including rules across fields", () => {
    const shown = operations.flatMap(({ id, body }) => {
      if (!body) return [];
      const schema = inlineRefs(jsonSchema(body, "input"));
      return [true, false].map((terse) => ({ id, body, sample: sampleOf(schema, { terse }) }));
    });
    const refused = shown.flatMap(({ id, body, sample }) => {
      const { error } = body.safeParse(sample);
      return error ? [{ id, issues: error.issues }] : [];
    });
    expect(refused).toEqual([]);
    // The curl samples quote the body with apostrophes.
    expect(shown.filter(({ sample }) => JSON.stringify(sample).includes("'")).map(({ id }) => id)).toEqual(
      [],
    );
    expect(shown.length).toBeGreaterThan(100);
  });

  it("shows sample responses that match their contracts", () => {
    const refused = operations.flatMap(({ id, output, file }) => {
      if (file) return [];
      const sample = sampleOf(inlineRefs(jsonSchema(output, "output")));
      const { error } = output.safeParse(sample);
      return error || sample === null ? [{ id, sample, issues: error?.issues }] : [];
    });
    expect(refused).toEqual([]);
  });

  it("inlines the fields of named schemas", () => {
    const { output } = operations.find(({ id }) => id === "getUser")!;
    const fields = fieldsOf(inlineRefs(jsonSchema(output, "output")));
    expect(fields.map(({ path }) => path)).toEqual(expect.arrayContaining(["user.email", "data.email"]));
    expect(fields.find(({ path }) => path === "user.phone")?.type).toBe("string | null");
  });
});
