import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";

/**
 * A new pair of keys. They are read from their text, as the job that made a key holds its lock: Node.js 20 stands still
 * when that job is collected while the key is exported as JWK.
 */
export function newKeys(kind: "rsa" | "ec"): { privateKey: KeyObject; publicKey: KeyObject } {
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
