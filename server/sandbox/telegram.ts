import { parseFields, type Sandbox, sandboxResponse, stringOrEmpty } from "./sandbox";

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
  const webhookKey = `hook:${botId}`;
  const webhookUrl = stringOrEmpty(await store.get(webhookKey));
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
      return okResponse({ url: webhookUrl, has_custom_certificate: false, pending_update_count: 0 });
    case "setwebhook":
      if (!stringOrEmpty(fields.url).startsWith("http"))
        return errorResponse(400, "Bad Request: bad webhook: invalid URL");
      await store.set(webhookKey, fields.url);
      return okResponse(true, webhookUrl === fields.url ? "Webhook is already set" : "Webhook was set");
    case "deletewebhook":
      await store.delete(webhookKey);
      return okResponse(true, webhookUrl ? "Webhook was deleted" : "Webhook is already deleted");
    default:
      return errorResponse(404, "Not Found");
  }
};
