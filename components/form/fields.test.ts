import { expect, it } from "vitest";
import { withMandatory } from "@/components/accounts/consents/mandatory";
import { register } from "@/server/domains/access/registration/contract";
import { putProfile } from "@/server/domains/settings/account/contract";
import { check } from "./check";
import { fieldsOf, requiredField } from "./fields";

const keys = { has: () => true, text: (key: string) => key };
const problems = (schema: Parameters<typeof check>[0], typed: unknown) =>
  Object.entries(check(schema, typed, keys).problems).map(([field, { type }]) => `${field}: ${type}`);

it("fieldsOf keeps the rules of each field and drops rules across fields", () => {
  const { name, email, new_password } = fieldsOf(putProfile).shape;
  const fields = fieldsOf(putProfile)
    .pick({ new_password: true })
    .extend({ name: requiredField(name) });
  expect(problems(fields, { name: "" })).toEqual(["name: required"]);
  expect(problems(fields, { name: "x".repeat(256), new_password: "short" })).toEqual([
    "new_password: min_string",
    "name: max_string",
  ]);
  expect(problems(requiredField(email), "nobody")).toEqual(["body: email"]);
  expect(requiredField(new_password).safeParse(null).success).toBe(false);
});

it("reports an unticked mandatory consent along with other problems", () => {
  const form = withMandatory(fieldsOf(register).pick({ name: true, consents: true }), ["terms", "privacy"]);
  expect(problems(form, { name: "", consents: { terms: true, privacy: false } })).toEqual([
    "name: required",
    "consents.privacy: accepted",
  ]);
  expect(problems(form, { name: "Ayşe", consents: { terms: true, privacy: true } })).toEqual([]);
});
