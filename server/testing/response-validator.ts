import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import * as z from "zod";
import type { AnyOperation } from "@/server/core/contract";
import { type ErrorCode, getErrorSpec } from "@/server/core/errors";
import { createOpenApiDocument } from "@/server/transports/rest/openapi/document";
import { listErrorCodes } from "@/server/transports/rest/openapi/generated-files";
import type { RouteTable } from "@/server/transports/rest/routes";
import type { TestResponse } from "./http";

type OpenApiResponse = { $ref?: string; content?: Record<string, { schema: object }> };
type Components = { schemas: object; responses: Record<string, OpenApiResponse> };
type OpenApiOperation = { responses: Record<string, OpenApiResponse>; components: Components };
type OpenApiDocument = { paths: Record<string, Record<string, OpenApiOperation>>; components: Components };
export type ResponseValidator = (
  method: string,
  path: string,
  response: Pick<TestResponse, "status" | "headers" | "text">,
) => void;

/** Time formats of docs/contract.md, section 2. The contracts check the other formats. */
const FORMATS = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  binary: true,
  email: true,
  uri: true,
  uuid: true,
} as const;

const MESSAGE = z.strictObject({ message: z.string().min(1) });

/** Checks status, error code and exact body. Unknown paths must return the documented 404 or 405. */
export function createResponseValidator(routeTable: RouteTable): ResponseValidator {
  const ajv = new Ajv2020({ strict: false, formats: FORMATS });
  // Keyed by schema text: operations share most error bodies.
  const validatorBySchema = new Map<string, ValidateFunction>();
  const openApiOperations = new Map<AnyOperation, OpenApiOperation>();

  function getOpenApiOperation(operation: AnyOperation): OpenApiOperation {
    let openApiOperation = openApiOperations.get(operation);
    if (!openApiOperation) {
      const { paths, components } = createOpenApiDocument([operation], []) as unknown as OpenApiDocument;
      openApiOperation = { ...paths[operation.path]![operation.method.toLowerCase()]!, components };
      openApiOperations.set(operation, openApiOperation);
    }
    return openApiOperation;
  }

  return (method, path, { status, headers, text }) => {
    const context = `${method} ${path.slice(0, 120)} → ${status} ${text.slice(0, 500)}`;
    const fail = (reason: string): never => {
      throw new Error(`${reason}: ${context}`);
    };
    checkHeaders(headers, fail);
    const pathname = getPathname(path);
    const match = routeTable.match(
      pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname,
    );
    const code = headers["x-error-code"];
    const hasDocumentedCode = (codes: readonly unknown[]) =>
      codes.includes(code) || fail(`X-Error-Code is ${code}, which is not documented here`);
    if (!match)
      return status === 404 && hasDocumentedCode(["route_not_found"])
        ? checkMessage(method, text, fail)
        : fail("Unknown route must be 404");
    if (method === "OPTIONS")
      return status === 204 && text === "" ? undefined : fail("OPTIONS must be an empty 204");
    const routedMethod = method === "HEAD" ? "GET" : method;
    const operation = match.route.methods.get(routedMethod)?.operation;
    if (!operation) {
      if (status !== 405 || !headers.allow) fail("Unknown method must be 405 with Allow");
      hasDocumentedCode(["method_not_allowed"]);
      return checkMessage(method, text, fail);
    }
    hasDocumentedCode(status < 400 ? [undefined] : listCodesWithStatus(operation, status));
    const { responses, components } = getOpenApiOperation(operation);
    const declaredResponse = responses[status] ?? fail("Status is not declared");
    const response = declaredResponse.$ref
      ? components.responses[declaredResponse.$ref.split("/").at(-1)!]!
      : declaredResponse;
    if (status === 429 || status === 503) {
      if (!/^[1-9]\d*$/.test(String(headers["retry-after"]))) fail("Retry-After is missing");
    }
    const type = String(headers["content-type"]);
    if (response.content?.[type] && !type.startsWith("application/json")) return;
    if (!/^application\/json; charset=utf-8$/.test(type)) fail(`Header content-type is ${type}`);
    const schema = response.content?.["application/json"]?.schema;
    if (method === "HEAD" || !schema) return text === "" ? undefined : fail("Body must be empty");
    const key = JSON.stringify(schema);
    let validate = validatorBySchema.get(key);
    if (!validate) {
      validate = ajv.compile({ ...schema, components });
      validatorBySchema.set(key, validate);
    }
    if (!validate(JSON.parse(text))) fail(`Body is not as described (${ajv.errorsText(validate.errors)})`);
  };
}

function listCodesWithStatus(operation: AnyOperation, status: number): ErrorCode[] {
  return listErrorCodes(operation).filter((code) => getErrorSpec(code).status === status);
}

function getPathname(path: string): string {
  return path.replace(/^[a-z]+:\/\/[^/]*/i, "").split("?")[0]!;
}

function checkMessage(method: string, text: string, fail: (reason: string) => never): void {
  if (method === "HEAD") return;
  if (!MESSAGE.safeParse(JSON.parse(text)).success) fail("Body must be {message}");
}

function checkHeaders(headers: TestResponse["headers"], fail: (reason: string) => never): void {
  const expected: Record<string, RegExp> = {
    "cache-control": /^(no-store|public, max-age=(60|300))$/,
    "x-content-type-options": /^nosniff$/,
    "referrer-policy": /^no-referrer$/,
    "x-request-id": /^[0-9a-f-]{36}$/,
    "access-control-allow-origin": /^\*$/,
  };
  for (const [name, pattern] of Object.entries(expected))
    if (!pattern.test(String(headers[name]))) fail(`Header ${name} is ${headers[name]}`);
  if (headers["x-powered-by"] || headers["set-cookie"] || headers["access-control-allow-credentials"])
    fail("Header that must not be there");
}
