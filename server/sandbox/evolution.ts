import { asString, parseFields, type Sandbox, sandboxResponse } from "./kit";

interface Instance {
  name: string;
  key: string;
  state: "open" | "close" | "connecting";
  url: string;
}

const error = (status: number, name: string, ...message: string[]) =>
  sandboxResponse(status, { status, error: name, response: { message } });
const success = (message: string) =>
  sandboxResponse(200, { status: "SUCCESS", error: false, response: { message } });

export const EVOLUTION_KEY = "evolution-sandbox-key";

/**
 * Evolution API 2.3: a query parameter overrides the name in the path, an unknown name fails before the key
 * is checked, a delete reports success early. `zombie…` instances survive their first delete.
 */
export const evolution: Sandbox = async (call, store) => {
  const [, area = "", verb = "", named] = /^\/(instance|webhook)\/(\w+)(?:\/([^/]+))?$/.exec(call.path) ?? [];
  const fields = parseFields(call);
  const key = call.header("apikey") ?? "";
  if (area === "instance" && verb === "create") return create();
  if (verb === "fetchInstances")
    return error(404, "Not Found", `Instance "${asString(fields.instanceName)}" not found`);
  const name = call.query.get("instanceName") ?? decodeURIComponent(named ?? "");
  const instance = (await store.get(`instance:${name}`)) as Instance | undefined;
  if (!instance) return error(404, "Not Found", `The "${name}" instance does not exist`);
  if (key !== EVOLUTION_KEY && key !== instance.key) return error(401, "Unauthorized", "Unauthorized");
  const save = (change: Partial<Instance>) => store.set(`instance:${name}`, { ...instance, ...change });
  switch (`${call.method} ${area}/${verb}`) {
    case "GET instance/connectionState":
      return sandboxResponse(200, { instance: { instanceName: name, state: instance.state } });
    case "GET instance/connect":
      return sandboxResponse(200, { pairingCode: null, code: `2@${name}`, count: 1 });
    case "DELETE instance/logout":
      if (instance.state === "close")
        return error(400, "Bad Request", `The "${name}" instance is not connected`);
      await save({ state: "close" });
      return success("Instance logged out");
    case "DELETE instance/delete":
      if (name.startsWith("zombie") && !(await store.get(`tried:${name}`)))
        await store.set(`tried:${name}`, true);
      else await store.delete(`instance:${name}`);
      return success("Instance deleted");
    case "POST webhook/set":
      await save({ url: asString((fields.webhook as { url?: unknown } | undefined)?.url) });
      return sandboxResponse(201, { webhook: { instanceName: name, url: instance.url, enabled: true } });
    case "GET webhook/find":
      return sandboxResponse(200, instance.url ? { url: instance.url, enabled: true, events: [] } : null);
    default:
      return error(404, "Not Found", `Cannot ${call.method} ${call.path}`);
  }

  async function create() {
    if (key !== EVOLUTION_KEY) return error(401, "Unauthorized", "Unauthorized");
    const instanceName = asString(fields.instanceName);
    if (!/^[\w-]{1,64}$/.test(instanceName)) return error(400, "Bad Request", "instanceName is invalid");
    if (await store.get(`instance:${instanceName}`))
      return error(403, "Forbidden", `This name "${instanceName}" is already in use.`);
    const hash = `hash-of-${instanceName}`;
    const url = asString((fields.webhook as { url?: unknown } | undefined)?.url);
    await store.set(`instance:${instanceName}`, { name: instanceName, key: hash, state: "connecting", url });
    return sandboxResponse(201, {
      instance: { instanceName, status: "connecting" },
      hash,
      qrcode: { code: `2@${instanceName}` },
    });
  }
};
