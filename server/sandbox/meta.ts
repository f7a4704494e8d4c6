import { parseFields, type Sandbox, type SandboxResponse, sandboxResponse, stringOrEmpty } from "./sandbox";

const errorResponse = (
  status: number,
  code: number,
  message: string,
  error_subcode?: number,
): SandboxResponse =>
  sandboxResponse(status, {
    error: {
      message: `(#${code}) ${message}`,
      type: "OAuthException",
      code,
      ...(error_subcode && { error_subcode }),
      fbtrace_id: "AbSandbox",
    },
  });
const successResponse = sandboxResponse(200, { success: true });
const missingObjectResponse = (id: string) =>
  errorResponse(
    400,
    100,
    `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
    33,
  );

/** Returns the id of the calling app: `app<number>-…` in a sandbox token, else the platform's own. */
const getAppId = (token: string) => /^app(\d+)-/.exec(token)?.[1] ?? "100000000000001";

/** Returns the error that a token or id simulates. Every other token has all permissions. */
function findSimulatedError(token: string, id: string): SandboxResponse | undefined {
  if (!token || token.endsWith("REVOKED"))
    return errorResponse(401, 190, "Error validating access token: The session has been invalidated.", 460);
  if (token.endsWith("NORIGHTS")) return errorResponse(403, 200, "Permissions error");
  if (id === "429") return errorResponse(429, 80007, "Rate limit issues");
  if (id.startsWith("404")) return missingObjectResponse(id);
  return undefined;
}

export const meta: Sandbox = async (call, store) => {
  const [, id = "", edge = ""] = /^\/v\d+\.\d\/([\w-]+)(?:\/(\w+))?$/.exec(call.path) ?? [];
  const fields = parseFields(call);
  const token = call.header("authorization")?.replace(/^Bearer /, "") ?? stringOrEmpty(fields.access_token);
  const refusal = findSimulatedError(token, id);
  if (refusal) return refusal;
  if (edge === "subscribed_apps") return handleSubscribedApps();
  // An account has ten numbers: its id with one more digit.
  if (edge === "phone_numbers")
    return sandboxResponse(200, {
      data: Array.from({ length: 10 }, (_, digit) => ({ id: `${id}${digit}` })),
    });
  if (edge === "deregister") return successResponse;
  if (edge === "messages" && call.method === "POST") return sendMessage();
  if (edge) return errorResponse(400, 2500, `Unknown path components: /${edge}`);
  if (id === "me")
    return sandboxResponse(200, {
      user_id: /ig(\d+)/.exec(token)?.[1] ?? "17840000000000001",
      username: "sandbox.account",
    });
  if (call.method === "POST") {
    const { webhook_configuration: webhookConfiguration } = fields as {
      webhook_configuration?: { override_callback_uri?: string };
    };
    const url = stringOrEmpty(webhookConfiguration?.override_callback_uri);
    await (url ? store.set(`override:${id}`, url) : store.delete(`override:${id}`));
    return successResponse;
  }
  const application = "https://app.example.com/hooks";
  const phone_number = await store.get(`override:${id}`);
  const whatsapp_business_account = await store.get(`override:${id.slice(0, -1)}`);
  return sandboxResponse(200, {
    id,
    name: `Page ${id}`,
    display_phone_number: "+90 532 100 00 00",
    verified_name: `Number ${id}`,
    webhook_configuration: {
      ...(phone_number ? { phone_number } : {}),
      ...(whatsapp_business_account ? { whatsapp_business_account } : {}),
      application,
    },
  });

  /** Numbers ending in 404 are not on the list of a test number; accounts have the sample template only. */
  function sendMessage(): SandboxResponse {
    const { to, template } = fields as { to?: string; template?: { name?: string } };
    if (!to || template?.name !== "hello_world")
      return errorResponse(400, 132001, "Template name does not exist in the translation");
    if (to.endsWith("404")) return errorResponse(400, 131030, "Recipient phone number not in allowed list");
    return sandboxResponse(200, {
      messaging_product: "whatsapp",
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: "wamid.sandbox", message_status: "accepted" }],
    });
  }

  async function handleSubscribedApps(): Promise<SandboxResponse> {
    const key = `apps:${id}`;
    const apps = new Set(((await store.get(key)) as string[] | undefined) ?? []);
    if (call.method === "GET")
      return sandboxResponse(200, {
        data: [...apps].map((app) => ({
          id: app,
          whatsapp_business_api_data: { id: app, name: `App ${app}` },
        })),
      });
    if (call.method === "DELETE") apps.delete(getAppId(token));
    else apps.add(getAppId(token));
    const override = stringOrEmpty(fields.override_callback_uri);
    if (override) await store.set(`override:${id}`, override);
    else await store.delete(`override:${id}`);
    await store.set(key, [...apps]);
    return successResponse;
  }
};
