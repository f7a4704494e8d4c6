import { parseFields, type Sandbox, sandboxResponse, stringOrEmpty } from "./sandbox";

interface Instance {
  name: string;
  key: string;
  state: "open" | "close" | "connecting";
  url: string;
}

const errorResponse = (status: number, name: string, ...message: string[]) =>
  sandboxResponse(status, { status, error: name, response: { message } });
const successResponse = (message: string) =>
  sandboxResponse(200, { status: "SUCCESS", error: false, response: { message } });

export const EVOLUTION_KEY = "evolution-sandbox-key";

/**
 * Quirks of Evolution API 2.3: the query overrides the name in the path, an unknown name fails before the key
 * is checked, and delete reports success too early. `zombie…` instances survive their first delete.
 */
export const evolution: Sandbox = async (call, store) => {
  const [, area = "", verb = "", nameInPath] =
    /^\/(instance|webhook|message)\/(\w+)(?:\/([^/]+))?$/.exec(call.path) ?? [];
  const fields = parseFields(call);
  const apiKey = call.header("apikey") ?? "";
  if (area === "instance" && verb === "create") return createInstance();
  if (verb === "fetchInstances")
    return errorResponse(404, "Not Found", `Instance "${stringOrEmpty(fields.instanceName)}" not found`);
  const name = call.query.get("instanceName") ?? decodeURIComponent(nameInPath ?? "");
  const instance = (await store.get(`instance:${name}`)) as Instance | undefined;
  if (!instance) return errorResponse(404, "Not Found", `The "${name}" instance does not exist`);
  if (apiKey !== EVOLUTION_KEY && apiKey !== instance.key)
    return errorResponse(401, "Unauthorized", "Unauthorized");
  const saveInstance = (change: Partial<Instance>) =>
    store.set(`instance:${name}`, { ...instance, ...change });
  switch (`${call.method} ${area}/${verb}`) {
    case "GET instance/connectionState":
      return sandboxResponse(200, { instance: { instanceName: name, state: instance.state } });
    case "GET instance/connect":
      return sandboxResponse(200, { pairingCode: null, code: `2@${name}`, count: 1 });
    case "DELETE instance/logout":
      if (instance.state === "close")
        return errorResponse(400, "Bad Request", `The "${name}" instance is not connected`);
      await saveInstance({ state: "close" });
      return successResponse("Instance logged out");
    case "DELETE instance/delete":
      if (name.startsWith("zombie") && !(await store.get(`tried:${name}`)))
        await store.set(`tried:${name}`, true);
      else await store.delete(`instance:${name}`);
      return successResponse("Instance deleted");
    case "POST webhook/set": {
      const url = stringOrEmpty((fields.webhook as { url?: unknown } | undefined)?.url);
      await saveInstance({ url });
      return sandboxResponse(201, { webhook: { instanceName: name, url, enabled: true } });
    }
    case "POST message/sendText": {
      const number = stringOrEmpty(fields.number);
      if (instance.state !== "open") return errorResponse(500, "Internal Server Error", "Connection Closed");
      if (!number || !stringOrEmpty(fields.text))
        return errorResponse(400, "Bad Request", 'instance requires property "text"');
      const remoteJid = `${number}@s.whatsapp.net`;
      if (number.endsWith("404"))
        return sandboxResponse(400, {
          status: 400,
          error: "Bad Request",
          response: { message: [{ jid: remoteJid, exists: false, number }] },
        });
      return sandboxResponse(201, { key: { remoteJid, fromMe: true, id: "SANDBOX" }, status: "PENDING" });
    }
    case "GET webhook/find":
      return sandboxResponse(200, instance.url ? { url: instance.url, enabled: true, events: [] } : null);
    default:
      return errorResponse(404, "Not Found", `Cannot ${call.method} ${call.path}`);
  }

  async function createInstance() {
    if (apiKey !== EVOLUTION_KEY) return errorResponse(401, "Unauthorized", "Unauthorized");
    const instanceName = stringOrEmpty(fields.instanceName);
    if (!/^[\w-]{1,64}$/.test(instanceName))
      return errorResponse(400, "Bad Request", "instanceName is invalid");
    if (await store.get(`instance:${instanceName}`))
      return errorResponse(403, "Forbidden", `This name "${instanceName}" is already in use.`);
    const instanceKey = `hash-of-${instanceName}`;
    const url = stringOrEmpty((fields.webhook as { url?: unknown } | undefined)?.url);
    await store.set(`instance:${instanceName}`, {
      name: instanceName,
      key: instanceKey,
      state: "connecting",
      url,
    });
    return sandboxResponse(201, {
      instance: { instanceName, status: "connecting" },
      hash: instanceKey,
      qrcode: { code: `2@${instanceName}` },
    });
  }
};
