import type { Client } from "./client";
import { absent, nonEmptyString, turkishText } from "./matchers";
import { PASSWORD, type World } from "./world";

const UNAUTHENTICATED_FIELDS = { message: "Unauthenticated.", success: absent };

const PROTECTED_OPERATIONS: Array<[string, string]> = [
  ["GET", "/api/subscription-plans"],
  ["POST", "/api/auth/logout"],
  ["GET", "/api/profile/2fa/methods"],
  ["POST", "/api/auth/account/delete-request"],
  ["POST", "/api/auth/account/confirm-delete"],
  ["GET", "/api/profile/passkeys"],
  ["POST", "/api/profile/passkeys/register/options"],
  ["POST", "/api/profile/passkeys/register/verify"],
  ["DELETE", "/api/profile/passkeys/01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  ["GET", "/api/user"],
  ["PUT", "/api/user"],
  ["GET", "/api/auth/user"],
  ["PUT", "/api/auth/profile"],
  ["PUT", "/api/user/menu-labels"],
  ["PUT", "/api/user/locale"],
  ["GET", "/api/sites"],
  ["POST", "/api/sites"],
  ["GET", "/api/sites/1"],
  ["POST", "/api/sites/1/regenerate-external-key"],
];

const REQUIRED_BODY_OPERATIONS: Array<[string, string]> = [
  ["POST", "/api/auth/register"],
  ["POST", "/api/auth/login"],
  ["POST", "/api/auth/resend-verification"],
  ["POST", "/api/auth/forgot-password"],
  ["POST", "/api/auth/google"],
  ["POST", "/api/auth/apple"],
  ["POST", "/api/auth/passkey/login/verify"],
  ["POST", "/api/auth/2fa/send-code"],
  ["POST", "/api/auth/2fa/challenge"],
  ["POST", "/api/auth/2fa/recovery"],
  ["POST", "/api/auth/account/confirm-delete"],
  ["POST", "/api/profile/passkeys/register/verify"],
  ["PUT", "/api/user/menu-labels"],
  ["POST", "/api/sites"],
];
const OPTIONAL_BODY_OPERATIONS: Array<[string, string]> = [
  ["PUT", "/api/user"],
  ["PUT", "/api/auth/profile"],
  ["PUT", "/api/user/locale"],
];

/** docs/contract.md 5 and 7: credentials and malformed requests, for every operation. */
export async function checkErrors(client: Client, world: World): Promise<void> {
  await client.runGroup("5.5 credentials", () => checkCredentials(client, world));
  await client.runGroup("7 bodies", () => checkBodies(client, world));
  await client.runGroup("7 routes", () => checkRoutes(client, world));
}

async function checkCredentials(client: Client, world: World): Promise<void> {
  for (const [method, path] of PROTECTED_OPERATIONS)
    client.expectRow(
      await client.call(`5.5 ${method} ${path}, no token`, method, path),
      401,
      UNAUTHENTICATED_FIELDS,
    );
  for (const [method, path] of PROTECTED_OPERATIONS) {
    const reply = await client.call(`5.5 ${method} ${path}, a wrong token`, method, path, { token: "wrong" });
    client.expectRow(reply, 401, UNAUTHENTICATED_FIELDS);
  }
  const { token, id } = await world.createPerson();
  const changedToken = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
  const wrongHeaders: Array<[string, string]> = [
    ["another scheme", `Basic ${Buffer.from("ayse@example.com:parola").toString("base64")}`],
    ["no scheme", token],
    ["a scheme alone", "Bearer"],
    ["a changed letter", `Bearer ${changedToken}`],
    ["a word after the token", `Bearer ${token} more`],
    ["in quotes", `Bearer "${token}"`],
  ];
  for (const [variant, authorization] of wrongHeaders) {
    const reply = await client.get(`5.5 Authorization, ${variant}`, "/api/user", {
      headers: { authorization },
    });
    client.expectRow(reply, 401, UNAUTHENTICATED_FIELDS);
  }
  for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
    const headers = { authorization: `${scheme} ${token}` };
    client.expectRow(await client.get(`5.1 Authorization: ${scheme}`, "/api/user", { headers }), 200, {
      "user.id": id,
    });
  }
  const queryTokenReply = await client.get(
    "5.1 a token in the query",
    `/api/user?token=${token}&api_token=${token}`,
  );
  client.expectRow(queryTokenReply, 401, UNAUTHENTICATED_FIELDS);
  const metaReply = await client.get("4.10 meta ignores a wrong token", "/api/i18n/meta", {
    token: "wrong",
  });
  client.expectRow(metaReply, 200, { fallback: "tr" });
}

async function checkBodies(client: Client, world: World): Promise<void> {
  const { token } = await world.createPerson();
  const malformedFields = { success: false, message: nonEmptyString, error: absent, errors: absent };
  for (const [method, path] of [...REQUIRED_BODY_OPERATIONS, ...OPTIONAL_BODY_OPERATIONS]) {
    const reply = await client.call(`7 ${method} ${path}, malformed JSON`, method, path, {
      rawBody: '{"a": ',
      token,
    });
    client.expectRow(reply, 400, malformedFields);
  }
  for (const [method, path] of REQUIRED_BODY_OPERATIONS) {
    const reply = await client.call(`7 ${method} ${path}, no body`, method, path, { token });
    client.expectRow(reply, 422, { message: nonEmptyString });
  }
  for (const [method, path] of OPTIONAL_BODY_OPERATIONS) {
    const reply = await client.call(`7 ${method} ${path}, no body`, method, path, { token });
    client.expectRow(reply, 200, { success: true });
  }
  for (const rawBody of [
    "{'name': 'Ece'}",
    '{"name": "Ece",}',
    '{"name": "Ece"} more',
    "name=Ece",
    "\u0001",
  ]) {
    const reply = await client.put(`7 PUT /api/user, ${JSON.stringify(rawBody)}`, "/api/user", undefined, {
      rawBody,
      token,
    });
    client.expectRow(reply, 400, malformedFields);
  }
  for (const rawBody of ['"text"', "5", "true", "[]", "[1]"]) {
    const label = `7 POST /api/auth/login, JSON that is no object: ${rawBody}`;
    const reply = await client.post(label, "/api/auth/login", undefined, { rawBody });
    client.expectRow(reply, 422, { message: nonEmptyString });
  }
  const nameChange = { body: { name: "Ece Ün" }, token };
  for (const type of ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON"]) {
    const reply = await client.call(`4 Content-Type ${type}`, "PUT", "/api/user", { ...nameChange, type });
    client.expectRow(reply, 200, { "user.name": "Ece Ün" });
  }
  const untypedReply = await client.call("4 a JSON body without Content-Type", "PUT", "/api/user", {
    ...nameChange,
    type: null,
  });
  client.expectRow(untypedReply, 200, { "user.name": "Ece Ün" });
  const person = await world.createPerson();
  const loginOptions = { body: { email: person.email, password: PASSWORD }, type: null };
  const signInReply = await client.call(
    "4 a sign-in without Content-Type",
    "POST",
    "/api/auth/login",
    loginOptions,
  );
  client.expectRow(signInReply, 200, { "user.id": person.id });
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "text/html", "application/xml"]) {
    const reply = await client.call(`7 a JSON body as ${type}`, "PUT", "/api/user", { ...nameChange, type });
    client.expectRow(reply, 415, { message: nonEmptyString, success: absent });
  }
}

async function checkRoutes(client: Client, world: World): Promise<void> {
  const { token } = await world.createPerson();
  for (const path of ["/api/nothing", "/api/auth/nothing", "/api/auth/session", "/api/sites/1/nothing"])
    client.expectRow(await client.get(`7 GET ${path}`, path, { token }), 404, { message: nonEmptyString });
  for (const [method, path] of [
    ["GET", "/api/auth/login"],
    ["GET", "/api/auth/register"],
    ["DELETE", "/api/user"],
    ["POST", "/api/i18n/meta"],
  ] as const)
    client.expectRow(await client.call(`7 ${method} ${path}`, method, path, { token }), 405, {
      message: nonEmptyString,
    });
  const englishOptions = { headers: { "accept-language": "en-US,en" } };
  const errorReply = await client.post(
    "7 an error for an English reader",
    "/api/auth/login",
    {},
    englishOptions,
  );
  client.expectRow(errorReply, 422, { message: turkishText });
  const jsonReply = await client.get("2 responses are JSON", "/api/nothing");
  const contentType = jsonReply.headers.get("content-type") ?? "";
  client.addCheck(
    "2 responses are JSON, errors too",
    jsonReply,
    /^application\/json\b/.test(contentType),
    "application/json",
    contentType,
  );
}
