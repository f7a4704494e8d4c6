import { constants, createHmac, type KeyObject, sign as signBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createKeyPair } from "./key-pairs";

/** Response of the endpoint with the public keys; `well` is the correct one, `slow` stops after ten bytes. */
export type KeysBehaviour = "well" | "down" | "silent" | "html" | "huge" | "redirect" | "slow";

export interface TokenChanges {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: KeyObject | string;
}

/** Signs any header and content, even invalid ones. A string key makes an HMAC. */
function signJws(header: object, content: object | string, key: KeyObject | string): string {
  const encode = (value: object | string) =>
    Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
  const body = `${encode(header)}.${encode(content)}`;
  return `${body}.${computeSignature(body, (header as { alg?: string }).alg ?? "", key).toString("base64url")}`;
}

function computeSignature(body: string, alg: string, key: KeyObject | string): Buffer {
  const hash = `sha${alg.slice(2) || "256"}`;
  if (typeof key === "string") return createHmac(hash, key).update(body).digest();
  const bytes = Buffer.from(body);
  if (alg.startsWith("PS"))
    return signBytes(hash, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 });
  return signBytes(alg === "none" ? "sha256" : hash, bytes, { key, dsaEncoding: "ieee-p1363" });
}

/** Fake identity provider on loopback with its own keys. */
export interface FakeIdentityProvider {
  url: string;
  clientId: string;
  env: Record<string, string>;
  keysBehaviour: KeysBehaviour;
  requestedPaths: string[];
  /** Bodies received by the token endpoint, and its response. */
  exchanges: URLSearchParams[];
  exchangeResponse: { status: number; body: unknown };
  /** Bodies received by the revocation endpoint, and its status; 0 closes the connection. */
  revocations: URLSearchParams[];
  revokeStatus: number;
  keys: Record<"rsa" | "ec" | "stranger", KeyObject>;
  rsaPublicKey: KeyObject;
  signIdToken(changes?: TokenChanges): string;
  close(): Promise<void>;
}

let subjectCount = 0;

export async function openFakeIdentityProvider(): Promise<FakeIdentityProvider> {
  const rsa = createKeyPair("rsa");
  const strangerKeys = createKeyPair("rsa");
  const ec = createKeyPair("ec");
  const publicKeys = { rsa: rsa.publicKey, ec: ec.publicKey };
  const keySet = JSON.stringify({
    keys: Object.entries(publicKeys).map(([kid, key]) => ({
      ...key.export({ format: "jwk" }),
      kid,
      use: "sig",
    })),
  });

  const server = createServer((req, res) => void respond(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider: FakeIdentityProvider = {
    url,
    clientId: "tellal.apps.test",
    env: {
      GOOGLE_CLIENT_ID: "tellal.apps.test, tellal.android.test",
      GOOGLE_ISSUER: url,
      GOOGLE_JWKS_URL: `${url}/keys`,
      APPLE_CLIENT_ID: "tellal.apps.test",
      APPLE_ISSUER: url,
      APPLE_JWKS_URL: `${url}/keys`,
      APPLE_TOKEN_URL: `${url}/token`,
    },
    keysBehaviour: "well",
    requestedPaths: [],
    exchanges: [],
    exchangeResponse: { status: 200, body: { refresh_token: "apple-refresh-token" } },
    revocations: [],
    revokeStatus: 200,
    keys: { rsa: rsa.privateKey, ec: ec.privateKey, stranger: strangerKeys.privateKey },
    rsaPublicKey: rsa.publicKey,
    signIdToken({ claims = {}, header = {}, key = rsa.privateKey } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const index = ++subjectCount;
      const content = {
        iss: url,
        aud: "tellal.apps.test",
        sub: `subject-${process.pid}-${index}`,
        email: `idp.${process.pid}.${index}@example.com`,
        email_verified: true,
        name: "Zeynep Ak",
        iat: now,
        exp: now + 3600,
        jti: crypto.randomUUID(),
        ...claims,
      };
      return signJws({ alg: "RS256", kid: "rsa", typ: "JWT", ...header }, content, key);
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    provider.requestedPaths.push(req.url ?? "");
    if (req.url === "/token") {
      let body = "";
      for await (const chunk of req) body += chunk;
      provider.exchanges.push(new URLSearchParams(body));
      res.writeHead(provider.exchangeResponse.status, { "content-type": "application/json" });
      return void res.end(JSON.stringify(provider.exchangeResponse.body));
    }
    if (req.url === "/revoke") {
      let body = "";
      for await (const chunk of req) body += chunk;
      provider.revocations.push(new URLSearchParams(body));
      if (provider.revokeStatus === 0) return void res.destroy();
      return void res.writeHead(provider.revokeStatus).end();
    }
    sendKeys(res);
  }

  function sendKeys(res: ServerResponse): void {
    const json = { "content-type": "application/json" };
    switch (provider.keysBehaviour) {
      case "well":
        return void res.writeHead(200, json).end(keySet);
      case "down":
        return void res.writeHead(500, json).end('{"error":"down"}');
      case "html":
        return void res
          .writeHead(200, { "content-type": "text/html" })
          .end("<!doctype html><h1>Sign in to the hotel");
      case "redirect":
        return void res.writeHead(302, { location: `${url}/elsewhere` }).end();
      case "huge":
        return void res.writeHead(200, json).end(`{"keys":[${" ".repeat(10 * 1024 * 1024)}]}`);
      case "slow":
        res.writeHead(200, json).write(keySet.slice(0, 10));
        return;
      case "silent":
        return;
    }
  }

  return provider;
}
