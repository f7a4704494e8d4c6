import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";

/** Creates a key pair through PEM: in Node.js 20, exporting a generated key as JWK can deadlock. */
export function createKeyPair(kind: "rsa" | "ec"): { privateKey: KeyObject; publicKey: KeyObject } {
  const { privateKey, publicKey } =
    kind === "rsa"
      ? generateKeyPairSync("rsa", {
          modulusLength: 2048,
          publicKeyEncoding: { type: "spki", format: "pem" },
          privateKeyEncoding: { type: "pkcs8", format: "pem" },
        })
      : generateKeyPairSync("ec", {
          namedCurve: "P-256",
          publicKeyEncoding: { type: "spki", format: "pem" },
          privateKeyEncoding: { type: "pkcs8", format: "pem" },
        });
  return { privateKey: createPrivateKey(privateKey), publicKey: createPublicKey(publicKey) };
}
