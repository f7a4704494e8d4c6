import { createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import { newKeyPair } from "./key-pairs";

const UP = 0x01;
const UV = 0x04;
const BE = 0x08;
const BS = 0x10;
const AT = 0x40;

/** Omitted fields are correct. */
export interface AuthenticatorDefects {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  /** User presence and user verification flags. */
  up?: boolean;
  uv?: boolean;
  backedUp?: boolean;
  counter?: number;
  /** COSE algorithm of the registered key. */
  alg?: number;
  usesWrongKey?: boolean;
  truncateAt?: number;
  crossOrigin?: boolean;
}

const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

/** Software passkey: ES256, with user verification by default. */
export class Authenticator {
  readonly id = randomBytes(32);
  counter = 0;
  userHandle: string | null = null;
  readonly aaguid: Buffer;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(
    readonly site: { origin: string; rpId: string },
    { aaguid = "00000000-0000-0000-0000-000000000000" } = {},
  ) {
    this.aaguid = Buffer.from(aaguid.replaceAll("-", ""), "hex");
    const { privateKey, publicKey } = newKeyPair("ec");
    this.#key = privateKey;
    this.#publicKey = publicKey;
  }

  create(options: { challenge: string; user: { id: string } }, spoil: AuthenticatorDefects = {}) {
    this.userHandle = options.user.id;
    const clientDataJSON = this.#clientData("webauthn.create", options.challenge, spoil);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([this.aaguid, length, this.id, this.#coseKey(spoil.alg)]);
    const authData = Buffer.concat([this.#authData(spoil, AT), attested]);
    const object = cborMap([
      ["fmt", cborText("none")],
      ["attStmt", cborMap([])],
      ["authData", cborBytes(authData)],
    ]);
    return {
      id: b64(this.id),
      rawId: b64(this.id),
      type: "public-key",
      response: {
        clientDataJSON: b64(clientDataJSON),
        attestationObject: b64(spoil.truncateAt ? object.subarray(0, spoil.truncateAt) : object),
        transports: ["internal"],
      },
    };
  }

  get(options: { challenge: string }, spoil: AuthenticatorDefects = {}) {
    const clientDataJSON = this.#clientData("webauthn.get", options.challenge, spoil);
    const authenticatorData = this.#authData(spoil, 0);
    const key = spoil.usesWrongKey ? newKeyPair("ec").privateKey : this.#key;
    const signedData = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    return {
      id: b64(this.id),
      rawId: b64(this.id),
      type: "public-key",
      response: {
        clientDataJSON: b64(clientDataJSON),
        authenticatorData: b64(authenticatorData),
        signature: b64(sign("sha256", signedData, key)),
        userHandle: this.userHandle,
      },
    };
  }

  #clientData(type: string, challenge: string, spoil: AuthenticatorDefects): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: spoil.type ?? type,
        challenge: spoil.challenge ?? challenge,
        origin: spoil.origin ?? this.site.origin,
        crossOrigin: spoil.crossOrigin ?? false,
      }),
    );
  }

  #authData(
    { rpId = this.site.rpId, up = true, uv = true, backedUp = false, counter }: AuthenticatorDefects,
    more: number,
  ): Buffer {
    const flags = (up ? UP : 0) | (uv ? UV : 0) | (backedUp ? BE | BS : 0) | more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? ++this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }

  #coseKey(alg = -7): Buffer {
    const { x, y } = this.#publicKey.export({ format: "jwk" });
    return cborMap([
      [1, cborInt(2)],
      [3, cborInt(alg)],
      [-1, cborInt(1)],
      [-2, cborBytes(Buffer.from(x!, "base64url"))],
      [-3, cborBytes(Buffer.from(y!, "base64url"))],
    ]);
  }
}

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (value: Uint8Array) => Buffer.concat([cborHead(2, value.length), value]);
const cborText = (value: string) => Buffer.concat([cborHead(3, value.length), Buffer.from(value)]);
const cborMap = (entries: Array<[string | number, Buffer]>) =>
  Buffer.concat([
    cborHead(5, entries.length),
    ...entries.flatMap(([key, value]) => [typeof key === "number" ? cborInt(key) : cborText(key), value]),
  ]);
