import { describe, expect, it } from "vitest";
import { buildSample, inlineRefs, toJsonSchema } from "@/server/transports/rest/openapi/json-schema";
import { getHandlers } from "@/server/transports/rest/operations";
import { listFields } from "./schema-text";

const operations = getHandlers().map(({ operation }) => operation);

describe("API reference", () => {
  it("shows sample bodies that pass validation, including rules across fields", () => {
    const samples = operations.flatMap(({ id, body }) => {
      if (!body) return [];
      const schema = inlineRefs(toJsonSchema(body, "input"));
      return [true, false].map((terse) => ({ id, body, sample: buildSample(schema, { terse }) }));
    });
    const invalidSamples = samples.flatMap(({ id, body, sample }) => {
      const { error } = body.safeParse(sample);
      return error ? [{ id, issues: error.issues }] : [];
    });
    expect(invalidSamples).toEqual([]);
    // The curl samples quote the body with apostrophes.
    expect(samples.filter(({ sample }) => JSON.stringify(sample).includes("'")).map(({ id }) => id)).toEqual(
      [],
    );
    expect(samples.length).toBeGreaterThan(100);
  });

  it("shows sample responses that match their contracts", () => {
    const invalidSamples = operations.flatMap(({ id, output, file }) => {
      if (file) return [];
      const sample = buildSample(inlineRefs(toJsonSchema(output, "output")));
      const { error } = output.safeParse(sample);
      return error || sample === null ? [{ id, sample, issues: error?.issues }] : [];
    });
    expect(invalidSamples).toEqual([]);
  });

  it("describes every field of a query and a body", () => {
    const undescribedFields = operations.flatMap(({ id, query, body }) =>
      [query, body].flatMap((schema) =>
        schema
          ? listFields(inlineRefs(toJsonSchema(schema, "input")))
              .filter(({ description }) => !description)
              .map(({ path }) => `${id} ${path}`)
          : [],
      ),
    );
    expect(undescribedFields).toEqual([]);
  });

  it("inlines the fields of named schemas", () => {
    const { output } = operations.find(({ id }) => id === "getUser")!;
    const fields = listFields(inlineRefs(toJsonSchema(output, "output")));
    expect(fields.map(({ path }) => path)).toEqual(expect.arrayContaining(["user.email", "data.email"]));
    expect(fields.find(({ path }) => path === "user.phone")?.type).toBe("string | null");
  });
});
