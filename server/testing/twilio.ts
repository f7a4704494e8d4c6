import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** Twilio's message resource on loopback: the same address, authentication, form, responses and errors. */
export interface TwilioPeer {
  /** Settings that point here. */
  env: Record<string, string>;
  messages: Array<{ to: string; from: string; body: string }>;
  /** The next responses, instead of 201: a status and Twilio's own code. */
  failures: Array<[status: number, code: number]>;
}

const SID = `AC${"0".repeat(32)}`;
const TOKEN = "a-token-of-the-test-account";

export async function twilioPeer(): Promise<TwilioPeer> {
  const peer: TwilioPeer = { env: {}, messages: [], failures: [] };
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const respond = (status: number, body: object) =>
      res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (req.headers.authorization !== `Basic ${Buffer.from(`${SID}:${TOKEN}`).toString("base64")}`)
      return respond(401, { code: 20003, message: "Authenticate", status: 401 });
    if (req.method !== "POST" || req.url !== `/2010-04-01/Accounts/${SID}/Messages.json`)
      return respond(404, { code: 20404, message: "The requested resource was not found", status: 404 });
    const failure = peer.failures.shift();
    if (failure) return respond(failure[0], { code: failure[1], message: "Refused", status: failure[0] });
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const [to, from, body] = [form.get("To"), form.get("From"), form.get("Body")];
    if (!to || !from || !body)
      return respond(400, { code: 21604, message: "A parameter is missing", status: 400 });
    peer.messages.push({ to, from, body });
    respond(201, {
      sid: `SM${String(peer.messages.length).padStart(32, "0")}`,
      status: "queued",
      to,
      from,
      body,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  peer.env = {
    TWILIO_ACCOUNT_SID: SID,
    TWILIO_AUTH_TOKEN: TOKEN,
    TWILIO_FROM: "+12025550100",
    TWILIO_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  return peer;
}
