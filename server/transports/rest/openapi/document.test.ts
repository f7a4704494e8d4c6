import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { getErrorSpec } from "@/server/core/errors";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "../operations";
import { compressBest } from "../response";
import { createOpenApiDocument, serializeDocument } from "./document";
import { fillPlaceholders, listErrorCodes } from "./generated-files";

const { get } = await startTestServer({ env: { APP_NAME: 'A "quoted" name' } });
const DOCUMENT_PATHS = ["/api/openapi.json", "/api/openapi-admin.json"];
const [integratorResponse, administratorResponse] = await Promise.all(
  DOCUMENT_PATHS.map((path) => get(path)),
);
const documents = [integratorResponse!.json, administratorResponse!.json];

const describedOperations = getHandlers().map(({ operation }) => {
  const [json, ...otherDocuments] = documents.filter(({ paths }) => paths[operation.path]);
  expect(otherDocuments).toEqual([]);
  return { operation, json, specOperation: json.paths[operation.path][operation.method.toLowerCase()] };
});

it("describes every operation with its errors and its limit", async () => {
  for (const { json, headers } of [integratorResponse!, administratorResponse!]) {
    expect(headers["cache-control"]).toBe("public, max-age=300");
    expect(json.openapi).toBe("3.1.0");
  }
  for (const { operation, json, specOperation } of describedOperations) {
    expect(specOperation.operationId).toBe(operation.id);
    expect(Object.keys(specOperation.responses)).toEqual(
      expect.arrayContaining([String(operation.status), "429", "500"]),
    );
    for (const code of listErrorCodes(operation)) {
      const { description } = resolveRef(json, specOperation.responses[getErrorSpec(code).status]);
      expect(description, operation.id).toContain(`\`${code}\``);
    }
    if (operation.access === "token") {
      expect(specOperation.security).toEqual([
        { bearer: [] },
        ...(operation.acceptsSiteKey ? [{ siteKey: [] }] : []),
      ]);
      const ability = operation.ability === undefined ? "read" : operation.ability;
      expect(specOperation["x-ability"]).toBe(ability ?? undefined);
      const { schema } = resolveRef(json, specOperation.responses[401]).content["application/json"];
      for (const each of schema.anyOf ?? [schema])
        expect(resolveRef(json, each).required.length).toBeGreaterThan(0);
    }
  }
  const operations = documents.flatMap(({ paths }) =>
    Object.values<object>(paths).flatMap((methods) => Object.values(methods)),
  );
  expect(operations).toHaveLength(getHandlers().length);
});

it("separates operations for integrators and administrators", async () => {
  const [integratorPaths, administratorPaths] = documents.map(({ paths }) => Object.keys(paths));
  expect(administratorPaths!.filter((path) => !/^\/api\/(admin|dev)\//.test(path))).toEqual(["/api/setup"]);
  expect(integratorPaths!.filter((path) => /^\/api\/(admin\/|dev\/|setup)/.test(path))).toEqual([]);
  for (const [index, { info, tags, components, webhooks, paths }] of documents.entries()) {
    expect(info.description).toContain(DOCUMENT_PATHS[1 - index]);
    const text = JSON.stringify([paths, components, webhooks]);
    for (const kind of ["schemas", "parameters", "responses", "headers"])
      for (const name of Object.keys(components[kind]))
        expect(text, `${kind} ${name}`).toContain(`"#/components/${kind}/${name}"`);
    for (const { name } of tags)
      expect(name === "Webhooks" || text.includes(`"tags":["${name}"]`)).toBe(true);
  }
  expect(Object.keys(documents[0].webhooks)).toContain("site.created");
});

/** Operations that need a description longer than their summary. New operations need not be added. */
const MAIN_OPERATIONS = `
  GET /api/reseller/customers · GET /api/subscription-plans · GET /api/public/referral-resellers
  POST /api/auth/register · POST /api/auth/login · POST /api/auth/resend-verification · POST /api/auth/forgot-password
  POST /api/auth/reset-password · POST /api/auth/google · POST /api/auth/apple · POST /api/auth/logout
  POST /api/auth/passkey/login/options · POST /api/auth/passkey/login/verify
  POST /api/auth/2fa/send-code · POST /api/auth/2fa/challenge · POST /api/auth/2fa/recovery · GET /api/profile/2fa/methods
  POST /api/auth/account/delete-request · POST /api/auth/account/confirm-delete
  GET /api/profile/passkeys · POST /api/profile/passkeys/register/options · POST /api/profile/passkeys/register/verify
  DELETE /api/profile/passkeys/{id} · GET /api/media · POST /api/media/upload · DELETE /api/media/{id}
  GET /api/idle-connections · POST /api/idle-connections/cleanup
  GET /api/user · PUT /api/user · GET /api/auth/user · PUT /api/auth/profile · PUT /api/user/menu-labels
  PUT /api/user/locale · GET /api/i18n/meta · GET /api/i18n/{locale}.json
  GET /api/sites · POST /api/sites · GET /api/sites/{id} · POST /api/sites/{id}/regenerate-external-key
`;

it("describes the main operations in more than a repetition of their summary", async () => {
  const { json } = await get("/api/openapi.json");
  const mainOperations = MAIN_OPERATIONS.split(/[·\n]/).flatMap((each) => each.trim() || []);
  // Guards the parser of the list; change the number with the list.
  expect(mainOperations).toHaveLength(40);
  for (const [method, path] of mainOperations.map((each) => each.split(" ") as [string, string])) {
    const specOperation = json.paths[path]?.[method.toLowerCase()];
    expect(specOperation?.description?.length, `${method} ${path}`).toBeGreaterThan(10);
    expect(specOperation.description).not.toBe(`${specOperation.summary}.`);
  }
});

it("gives parameters and fields their types: integer, boolean, string", async () => {
  const [integratorDocument] = documents;
  const getType = (path: string, name: string) =>
    integratorDocument.paths[path].get.parameters
      .map((each: Json) => ({ ...resolveRef(integratorDocument, each) }))
      .find((each: Json) => each.name === name).schema.type;
  expect(getType("/api/sites/{id}", "id")).toBe("integer");
  expect(getType("/api/sites", "after")).toBe("integer");
  expect(getType("/api/sites", "is_active")).toBe("boolean");
  expect(getType("/api/sites", "q")).toBe("string");
  const { schema } = integratorDocument.paths["/api/sites"].post.requestBody.content["application/json"];
  const body = resolveRef(integratorDocument, schema).properties;
  expect(body.ai_enabled.type).toEqual(["boolean", "null"]);
  expect(body.confirm_paid_site.deprecated).toBe(true);
  expect(integratorDocument.components.schemas.Site.properties.created_at.format).toBe("date-time");
});

it("describes headers, idempotency and limits", async () => {
  for (const { operation, json, specOperation } of describedOperations) {
    const parameters = specOperation.parameters.map((each: Json) => resolveRef(json, each).name);
    expect(parameters.includes("Idempotency-Key")).toBe(operation.idempotent === true);
    expect(specOperation["x-limit"].requests).toBeGreaterThan(0);
    const { headers } = resolveRef(json, specOperation.responses[429]);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(["Retry-After", "X-Error-Code"]));
    for (const header of Object.values<Json>(headers)) expect(resolveRef(json, header).schema).toBeTruthy();
  }
});

it("is generated from the contracts and contains the settings of the installation", () => {
  const generated = JSON.parse(
    fillPlaceholders(
      serializeDocument(createOpenApiDocument(getHandlers().map(({ operation }) => operation))),
    ),
  );
  expect(Object.assign({}, ...documents.map(({ paths }) => paths))).toEqual(generated.paths);
  for (const { info, servers } of documents) {
    expect(info.title).toBe('A "quoted" name API');
    expect(servers).toEqual([{ url: "http://panel.test" }]);
  }
});

it("is at most 200 kB compressed", async () => {
  for (const each of [integratorResponse, administratorResponse])
    expect((await compressBest(each!.text)).length).toBeLessThanOrEqual(200_000);
});

it("has a description for every parameter and every nested field", async () => {
  const missingDescriptions: string[] = [];
  const collectMissing = (json: Json, location: string, part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (["example", "examples", "enum", "default"].includes(key)) continue;
      if (key !== "properties") collectMissing(json, `${location}/${key}`, value);
      else
        for (const [name, field] of Object.entries<Json>(value)) {
          if (!hasDescription(json, field)) missingDescriptions.push(`${location}.${name}`);
          collectMissing(json, `${location}.${name}`, field);
        }
    }
  };
  for (const json of documents) {
    collectMissing(json, "schemas", json.components.schemas);
    collectMissing(json, "webhooks", json.webhooks);
  }
  for (const { operation, json, specOperation } of describedOperations) {
    for (const each of specOperation.parameters)
      if (!resolveRef(json, each).description) missingDescriptions.push(`${operation.id}?${each.name}`);
    collectMissing(json, operation.id, [specOperation.requestBody, specOperation.responses]);
  }
  expect(missingDescriptions).toEqual([]);
});

it("has a description for every named schema", () => {
  for (const { components } of documents) {
    const schemas = Object.entries<Json>(components.schemas);
    expect(schemas.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
  }
});

function hasDescription(json: Json, { description, anyOf = [], items, ...keywords }: Json): boolean {
  const schemas = [keywords, items as Json | undefined, ...(anyOf as Json[])];
  return Boolean(description) || schemas.some((each) => each?.$ref && resolveRef(json, each).description);
}

it("rejects two schemas with the same name", () => {
  const withOutput = (schema: z.ZodType) => ({
    ...getHandlers()[0]!.operation,
    output: schema.meta({ id: "Same" }),
  });
  expect(() => createOpenApiDocument([withOutput(z.string())])).not.toThrow();
  expect(() => createOpenApiDocument([withOutput(z.string()), withOutput(z.int())])).toThrow(
    "two schemas have the id Same",
  );
});

it.each(DOCUMENT_PATHS)("%s passes Redocly's recommended rules", async (documentPath) => {
  const directory = await mkdtemp(join(tmpdir(), "tellal-openapi-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, "openapi.json");
  await writeFile(file, (await get(documentPath)).text);
  await writeFile(join(directory, "redocly.yaml"), "extends: [recommended]\n");
  const { code, output } = await runRedocly([
    "lint",
    file,
    "--config",
    join(directory, "redocly.yaml"),
    "--format",
    "json",
  ]);
  const { problems } = JSON.parse(output.slice(output.indexOf("{")));
  const messages = problems.map(
    ({ ruleId, message }: { ruleId: string; message: string }) => `${ruleId}: ${message}`,
  );
  expect(code).toBe(0);
  expect([...new Set(messages)]).toEqual([]);
});

type Json = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary parts of the document
function resolveRef(document: any, { $ref, ...inlineSchema }: Json): any {
  const steps = $ref ? String($ref).slice(2).split("/") : [];
  return steps.length > 0 ? steps.reduce((part, step) => part[step], document) : inlineSchema;
}

function runRedocly(args: string[]): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const child = spawn(process.execPath, [resolve("node_modules/.bin/redocly"), ...args], { env });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  return new Promise((resolveRun, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolveRun({ code, output }));
  });
}
