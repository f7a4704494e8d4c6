import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** Differences from a valid id_token; `undefined` leaves a claim out. */
export interface Claims {
  claims?: Record<string, unknown>;
  /** Signed with a key that the provider does not publish. */
  forged?: boolean;
}

export const PICTURE = "https://pictures.example.com/zeynep.png";

/** An identity provider on loopback that signs any claims; it stands for both providers. */
export class Provider {
  #people = 0;

  private constructor(
    readonly url: string,
    private readonly server: Server,
    private readonly keys: Keys,
    private readonly others: Keys,
  ) {}

  static async open(): Promise<Provider> {
    const [keys, others] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
    const ring = JSON.stringify({
      keys: [{ ...(await exportJWK(keys.publicKey)), kid: "k1", alg: "RS256", use: "sig" }],
    });
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(ring);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new Provider(url, server, keys, others);
  }

  /** Settings that point the server here. */
  get settings(): Record<string, string> {
    return {
      GOOGLE_CLIENT_ID: "contract.client",
      GOOGLE_ISSUER: this.url,
      GOOGLE_JWKS_URL: `${this.url}/keys`,
      APPLE_CLIENT_ID: "contract.client",
      APPLE_ISSUER: this.url,
      APPLE_JWKS_URL: `${this.url}/keys`,
    };
  }

  /** Returns the claims of a new person. */
  newcomer(): { sub: string; email: string } {
    const number = ++this.#people;
    return { sub: `subject-${number}`, email: `provided.${number}@example.com` };
  }

  /** Returns a valid id_token with the given changes. */
  async sign({ claims = {}, forged = false }: Claims = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const content = {
      iss: this.url,
      aud: "contract.client",
      ...this.newcomer(),
      email_verified: true,
      name: "Zeynep Ak",
      picture: PICTURE,
      iat: now,
      exp: now + 3600,
      jti: crypto.randomUUID(),
      ...claims,
    };
    return new SignJWT(content)
      .setProtectedHeader({ alg: "RS256", kid: "k1", typ: "JWT" })
      .sign((forged ? this.others : this.keys).privateKey);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
