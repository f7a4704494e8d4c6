import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { handlers } from "@/server/operations";
import { testServer } from "@/server/testing/server";
import { openApi } from "./openapi";

const { get } = await testServer();

it("describes every operation, with its errors and its limit", async () => {
  const { json, headers } = await get("/api/openapi.json");
  expect(headers["cache-control"]).toBe("public, max-age=300");
  expect(json.openapi).toBe("3.1.0");
  for (const { operation } of handlers()) {
    const described = json.paths[operation.path][operation.method.toLowerCase()];
    expect(described.operationId).toBe(operation.id);
    expect(Object.keys(described.responses)).toEqual(
      expect.arrayContaining([String(operation.status), "429", "500"]),
    );
    if (operation.access === "token") {
      expect(described.security).toEqual([{ bearer: [] }, ...(operation.siteKey ? [{ siteKey: [] }] : [])]);
      const { schema } = resolved(json, described.responses[401]).content["application/json"];
      for (const each of schema.anyOf ?? [schema])
        expect(resolved(json, each).additionalProperties).toBe(false);
    }
  }
  const ids = Object.values(json.paths as Record<string, object>).flatMap((methods) =>
    Object.values(methods),
  );
  expect(ids).toHaveLength(handlers().length);
});

it("describes the body of an error once, and every object of one name once", async () => {
  const { json } = await get("/api/openapi.json");
  const { schemas, responses } = json.components;
  for (const { operation } of handlers()) {
    const described = json.paths[operation.path][operation.method.toLowerCase()];
    for (const [status, response] of Object.entries(described.responses)) {
      if (Number(status) < 400) continue;
      const { schema } = resolved(json, response as Json).content["application/json"];
      for (const body of schema.anyOf ?? [schema]) {
        expect(Object.keys(body)).toEqual(["$ref"]);
        expect(resolved(json, body).type).toBe("object");
      }
    }
  }
  for (const shared of [schemas, responses]) {
    const texts = Object.values(shared).map((each) => JSON.stringify(each));
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThan(10);
  }
});

it("refuses two schemas of one name", () => {
  const described = (schema: z.ZodType) => ({
    ...handlers()[0]!.operation,
    output: schema.meta({ id: "Same" }),
  });
  expect(() => openApi([described(z.string())])).not.toThrow();
  expect(() => openApi([described(z.string()), described(z.int())])).toThrow("two schemas have the id Same");
});

it("passes Redocly's recommended rules", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tellal-openapi-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, "openapi.json");
  await writeFile(file, (await get("/api/openapi.json")).text);
  // Switched off: tags explain themselves, and keys that an enum of `propertyNames` defines count as undefined there.
  const off = ["tag-description", "no-required-schema-properties-undefined"].map(
    (rule) => `  ${rule}: off\n`,
  );
  await writeFile(join(directory, "redocly.yaml"), `extends: [recommended]\nrules:\n${off.join("")}`);
  const { code, output } = await run([
    "lint",
    file,
    "--config",
    join(directory, "redocly.yaml"),
    "--format",
    "json",
  ]);
  const { problems } = JSON.parse(output.slice(output.indexOf("{")));
  const found = problems.map(
    ({ ruleId, message }: { ruleId: string; message: string }) => `${ruleId}: ${message}`,
  );
  expect([code, [...new Set(found)]]).toEqual([0, []]);
});

type Json = Record<string, unknown>;

/** What a reference of the document leads to. */
// biome-ignore lint/suspicious/noExplicitAny: a test names what it expects of it
function resolved(document: any, { $ref, ...own }: Json): any {
  const steps = $ref ? String($ref).slice(2).split("/") : [];
  return steps.length > 0 ? steps.reduce((part, step) => part[step], document) : own;
}

function run(args: string[]): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const child = spawn(process.execPath, [resolve("node_modules/.bin/redocly"), ...args], { env });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  return new Promise((resolved, rejected) => {
    child.on("error", rejected);
    child.on("close", (code) => resolved({ code, output }));
  });
}
