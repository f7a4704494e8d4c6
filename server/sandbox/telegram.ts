import { asString, parseFields, type Sandbox, sandboxResponse } from "./sandbox";

const okResponse = (result: unknown, description?: string) =>
  sandboxResponse(200, { ok: true, result, ...(description && { description }) });
const errorResponse = (error_code: number, description: string, extraFields: object = {}) =>
  sandboxResponse(error_code, { ok: false, error_code, description, ...extraFields });

/** A token is valid for the bot id it starts with; `…REVOKED` is revoked, `…FLOOD` rate-limited. */
export const telegram: Sandbox = async (call, store) => {
  const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(call.path) ?? [];
  const [, botId] = /^(\d{5,15}):[\w-]{10,64}$/.exec(token ?? "") ?? [];
  if (!botId) return errorResponse(404, "Not Found");
  if (token!.endsWith("REVOKED")) return errorResponse(401, "Unauthorized");
  if (token!.endsWith("FLOOD"))
    return errorResponse(429, "Too Many Requests: retry after 5", { parameters: { retry_after: 5 } });
  const key = `hook:${botId}`;
  const url = asString(await store.get(key));
  const fields = parseFields(call);
  switch (method.toLowerCase()) {
    case "getme":
      return okResponse({
        id: Number(botId),
        is_bot: true,
        first_name: `Bot ${botId}`,
        username: `sandbox_${botId}_bot`,
      });
    case "getwebhookinfo":
      return okResponse({ url, has_custom_certificate: false, pending_update_count: 0 });
    case "setwebhook":
      if (!asString(fields.url).startsWith("http"))
        return errorResponse(400, "Bad Request: bad webhook: invalid URL");
      await store.set(key, fields.url);
      return okResponse(true, url === fields.url ? "Webhook is already set" : "Webhook was set");
    case "deletewebhook":
      await store.delete(key);
      return okResponse(true, url ? "Webhook was deleted" : "Webhook is already deleted");
    default:
      return errorResponse(404, "Not Found");
  }
};
