import { describe, expect, it } from "vitest";
import { handlers } from "@/server/operations";
import { jsonSchema } from "@/server/transports/rest/json-schema";
import { fieldsOf, inlined, sampleOf } from "./schema-text";

/* Examples of single fields become whole bodies here; rules over several fields, such as a password typed twice, count. */

const operations = handlers().map(({ operation }) => [operation.id, operation] as const);
const withBody = operations.filter(([, { body }]) => body);
const withJson = operations.filter(([, { file }]) => !file);

describe("the reference", () => {
  it.each(withBody)("shows a call of %s that its contract takes", (_, { body }) => {
    const schema = inlined(jsonSchema(body!, "input"));
    for (const terse of [true, false]) {
      const sample = sampleOf(schema, { terse });
      expect(body!.safeParse(sample).error).toBeUndefined();
      // It stands between apostrophes of the shell.
      expect(JSON.stringify(sample)).not.toContain("'");
    }
  });

  it.each(withJson)("shows an output of %s that its contract lets out", (_, { output }) => {
    const sample = sampleOf(inlined(jsonSchema(output, "output")));
    expect(output.safeParse(sample).error).toBeUndefined();
    expect(sample).not.toBeNull();
  });

  it("lists the fields of named schemas in their place", () => {
    const { output } = operations.find(([id]) => id === "getUser")![1];
    const fields = fieldsOf(inlined(jsonSchema(output, "output")));
    expect(fields.map(({ path }) => path)).toEqual(expect.arrayContaining(["user.email", "data.email"]));
    expect(fields.find(({ path }) => path === "user.phone")?.type).toBe("string | null");
  });
});
