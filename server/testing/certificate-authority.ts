import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { DAY } from "@/server/core/time";

interface Issue {
  /** Subject alternative names in OpenSSL syntax: `DNS:a.example.com,IP:127.0.0.1`. */
  names: string;
  from?: Date;
  until?: Date;
}

interface Issued {
  key: string;
  cert: string;
}

/** A certificate authority with an intermediate. This process trusts it until {@link CertificateAuthority.end}. */
export interface CertificateAuthority {
  intermediate: string;
  issue(what: Issue): Issued;
  end(): void;
}

const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const CA_EXTENSIONS = "basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign,cRLSign";

const time = (at: Date) => `${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`;

export function selfSigned(names: string): Issued {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const [key, cert] = [join(folder, "key"), join(folder, "cert")];
  const certificateArgs = ["-subj", "/CN=self", "-days", "30", "-addext", `subjectAltName=${names}`];
  openssl("req", "-x509", ...NEW_KEY, "-keyout", key, "-out", cert, ...certificateArgs);
  const issued = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true });
  return issued;
}

export function openCertificateAuthority(): CertificateAuthority {
  const folder = mkdtempSync(join(tmpdir(), "authority-"));
  const at = (name: string) => join(folder, name);
  const read = (name: string) => readFileSync(at(name), "utf8");
  writeFileSync(at("index"), "");
  writeFileSync(
    at("config"),
    [
      ...["[ca]", "default_ca=a", "[a]", `database=${at("index")}`, `new_certs_dir=${folder}`],
      ...["default_md=sha256", "policy=p", "rand_serial=yes", "unique_subject=no"],
      ...["[p]", "commonName=supplied", "[req]", "distinguished_name=d", "[d]"],
    ].join("\n"),
  );

  const root = ["-subj", "/CN=Root of tests", "-days", "30", "-addext", "basicConstraints=critical,CA:TRUE"];
  openssl("req", "-x509", ...NEW_KEY, "-keyout", at("root.key"), "-out", at("root.cert"), ...root);

  const sign = (name: string, by: string, extensions: string, from: Date, until: Date) => {
    const request = ["-keyout", at(`${name}.key`), "-out", at(`${name}.request`), "-subj", `/CN=${name}`];
    openssl("req", "-config", at("config"), "-new", ...NEW_KEY, ...request);
    writeFileSync(at("extensions"), extensions);
    const issuer = ["-keyfile", at(`${by}.key`), "-cert", at(`${by}.cert`), "-extfile", at("extensions")];
    const span = ["-startdate", time(from), "-enddate", time(until)];
    const files = ["-in", at(`${name}.request`), "-out", at(`${name}.cert`)];
    openssl("ca", "-batch", "-notext", "-config", at("config"), ...issuer, ...span, ...files);
  };
  const days = (count: number) => new Date(Date.now() + count * DAY);
  sign("intermediate", "root", CA_EXTENSIONS, days(-30), days(30));

  return {
    intermediate: read("intermediate.cert"),
    issue({ names, from = days(-1), until = days(90) }) {
      sign("server", "intermediate", `subjectAltName=${names}`, from, until);
      return { key: read("server.key"), cert: read("server.cert") };
    },
    end: trustAuthority(read("root.cert"), () => rmSync(folder, { recursive: true })),
  };
}

/** Adds an authority to new TLS contexts: Node.js 20 reads its authorities only once. */
function trustAuthority(cert: string, onEnd: () => void): () => void {
  const original = tls.createSecureContext;
  tls.createSecureContext = (options) => {
    const context = original(options);
    (context.context as { addCACert(cert: string): void }).addCACert(cert);
    return context;
  };
  return () => {
    tls.createSecureContext = original;
    onEnd();
  };
}
