import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";

/**
 * Creates a key pair, read from PEM. In Node.js 20, exporting a freshly generated key as JWK can deadlock
 * when its generating job is garbage-collected.
 */
export function newKeyPair(kind: "rsa" | "ec"): { privateKey: KeyObject; publicKey: KeyObject } {
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
