import { createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import { createKeyPair } from "./key-pairs";

/** Flags of the authenticator data (WebAuthn, section 6.1). */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKUP_STATE = 0x10;
const ATTESTED_DATA = 0x40;

export interface AuthenticatorDefects {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
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

const toBase64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
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
    readonly relyingParty: { origin: string; rpId: string },
    { aaguid = "00000000-0000-0000-0000-000000000000" } = {},
  ) {
    this.aaguid = Buffer.from(aaguid.replaceAll("-", ""), "hex");
    const { privateKey, publicKey } = createKeyPair("ec");
    this.#key = privateKey;
    this.#publicKey = publicKey;
  }

  create(options: { challenge: string; user: { id: string } }, defects: AuthenticatorDefects = {}) {
    this.userHandle = options.user.id;
    const clientDataJSON = this.#clientData("webauthn.create", options.challenge, defects);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attestedData = Buffer.concat([this.aaguid, length, this.id, this.#coseKey(defects.alg)]);
    const authData = Buffer.concat([this.#authData(defects, ATTESTED_DATA), attestedData]);
    const object = cborMap([
      ["fmt", cborText("none")],
      ["attStmt", cborMap([])],
      ["authData", cborBytes(authData)],
    ]);
    return {
      id: toBase64Url(this.id),
      rawId: toBase64Url(this.id),
      type: "public-key",
      response: {
        clientDataJSON: toBase64Url(clientDataJSON),
        attestationObject: toBase64Url(defects.truncateAt ? object.subarray(0, defects.truncateAt) : object),
        transports: ["internal"],
      },
    };
  }

  get(options: { challenge: string }, defects: AuthenticatorDefects = {}) {
    const clientDataJSON = this.#clientData("webauthn.get", options.challenge, defects);
    const authenticatorData = this.#authData(defects, 0);
    const key = defects.usesWrongKey ? createKeyPair("ec").privateKey : this.#key;
    const signedData = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    return {
      id: toBase64Url(this.id),
      rawId: toBase64Url(this.id),
      type: "public-key",
      response: {
        clientDataJSON: toBase64Url(clientDataJSON),
        authenticatorData: toBase64Url(authenticatorData),
        signature: toBase64Url(sign("sha256", signedData, key)),
        userHandle: this.userHandle,
      },
    };
  }

  #clientData(type: string, challenge: string, defects: AuthenticatorDefects): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: defects.type ?? type,
        challenge: defects.challenge ?? challenge,
        origin: defects.origin ?? this.relyingParty.origin,
        crossOrigin: defects.crossOrigin ?? false,
      }),
    );
  }

  #authData(
    { rpId = this.relyingParty.rpId, up = true, uv = true, backedUp = false, counter }: AuthenticatorDefects,
    extraFlags: number,
  ): Buffer {
    const flags =
      (up ? USER_PRESENT : 0) |
      (uv ? USER_VERIFIED : 0) |
      (backedUp ? BACKUP_ELIGIBLE | BACKUP_STATE : 0) |
      extraFlags;
    const counterBytes = Buffer.alloc(4);
    counterBytes.writeUInt32BE(counter ?? ++this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counterBytes]);
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
