import { expect, it } from "vitest";
import { withMandatoryConsents } from "@/components/accounts/consents/with-mandatory-consents";
import { register } from "@/server/domains/access/registration/contract";
import { putProfile } from "@/server/domains/settings/account/contract";
import { getBodyFields, makeRequired } from "./fields";
import { validateForm } from "./validate-form";

const keyMessages = { has: () => true, text: (key: string) => key };
const listProblems = (schema: Parameters<typeof validateForm>[0], input: unknown) =>
  Object.entries(validateForm(schema, input, keyMessages).problems).map(
    ([field, { type }]) => `${field}: ${type}`,
  );

it("getBodyFields keeps the rules of each field and drops rules across fields", () => {
  const { name, email, new_password } = getBodyFields(putProfile).shape;
  const fieldsSchema = getBodyFields(putProfile)
    .pick({ new_password: true })
    .extend({ name: makeRequired(name) });
  expect(listProblems(fieldsSchema, { name: "" })).toEqual(["name: required"]);
  expect(listProblems(fieldsSchema, { name: "x".repeat(256), new_password: "short" })).toEqual([
    "new_password: min_string",
    "name: max_string",
  ]);
  expect(listProblems(makeRequired(email), "nobody")).toEqual(["body: email"]);
  expect(makeRequired(new_password).safeParse(null).success).toBe(false);
});

it("reports an unticked mandatory consent along with other problems", () => {
  const formSchema = withMandatoryConsents(getBodyFields(register).pick({ name: true, consents: true }), [
    "terms",
    "privacy",
  ]);
  expect(listProblems(formSchema, { name: "", consents: { terms: true, privacy: false } })).toEqual([
    "name: required",
    "consents.privacy: accepted",
  ]);
  expect(listProblems(formSchema, { name: "Ayşe", consents: { terms: true, privacy: true } })).toEqual([]);
});
