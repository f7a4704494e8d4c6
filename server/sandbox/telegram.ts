import { asString, parseFields, type Sandbox, sandboxResponse } from "./kit";

const ok = (result: unknown, description?: string) =>
  sandboxResponse(200, { ok: true, result, ...(description && { description }) });
const failure = (error_code: number, description: string, more: object = {}) =>
  sandboxResponse(error_code, { ok: false, error_code, description, ...more });

/** A token is valid for the bot id it starts with; `…REVOKED` is revoked, `…FLOOD` rate-limited. */
export const telegram: Sandbox = async (call, store) => {
  const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(call.path) ?? [];
  const [, bot] = /^(\d{5,15}):[\w-]{10,64}$/.exec(token ?? "") ?? [];
  if (!bot) return failure(404, "Not Found");
  if (token!.endsWith("REVOKED")) return failure(401, "Unauthorized");
  if (token!.endsWith("FLOOD"))
    return failure(429, "Too Many Requests: retry after 5", { parameters: { retry_after: 5 } });
  const key = `hook:${bot}`;
  const url = asString(await store.get(key));
  const fields = parseFields(call);
  switch (method.toLowerCase()) {
    case "getme":
      return ok({ id: Number(bot), is_bot: true, first_name: `Bot ${bot}`, username: `sandbox_${bot}_bot` });
    case "getwebhookinfo":
      return ok({ url, has_custom_certificate: false, pending_update_count: 0 });
    case "setwebhook":
      if (!asString(fields.url).startsWith("http"))
        return failure(400, "Bad Request: bad webhook: invalid URL");
      await store.set(key, fields.url);
      return ok(true, url === fields.url ? "Webhook is already set" : "Webhook was set");
    case "deletewebhook":
      await store.delete(key);
      return ok(true, url ? "Webhook was deleted" : "Webhook is already deleted");
    default:
      return failure(404, "Not Found");
  }
};
