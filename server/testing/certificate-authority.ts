import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { DAY } from "@/server/core/time";

interface IssueOptions {
  /** Subject alternative names in OpenSSL syntax: `DNS:a.example.com,IP:127.0.0.1`. */
  names: string;
  from?: Date;
  until?: Date;
}

interface IssuedCertificate {
  key: string;
  cert: string;
}

/** Certificate authority with an intermediate. This process trusts it until it is closed. */
export interface CertificateAuthority {
  intermediate: string;
  issue(options: IssueOptions): IssuedCertificate;
  close(): void;
}

const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
const NEW_KEY_ARGS = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const CA_EXTENSIONS = "basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign,cRLSign";

const toAsn1Time = (at: Date) => `${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`;

export function createSelfSigned(names: string): IssuedCertificate {
  const directory = mkdtempSync(join(tmpdir(), "certificate-"));
  const [key, cert] = [join(directory, "key"), join(directory, "cert")];
  const certificateArgs = ["-subj", "/CN=self", "-days", "30", "-addext", `subjectAltName=${names}`];
  openssl("req", "-x509", ...NEW_KEY_ARGS, "-keyout", key, "-out", cert, ...certificateArgs);
  const certificate = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(directory, { recursive: true });
  return certificate;
}

export function openCertificateAuthority(): CertificateAuthority {
  const directory = mkdtempSync(join(tmpdir(), "authority-"));
  const getPath = (name: string) => join(directory, name);
  const readText = (name: string) => readFileSync(getPath(name), "utf8");
  writeFileSync(getPath("index"), "");
  writeFileSync(
    getPath("config"),
    [
      ...["[ca]", "default_ca=a", "[a]", `database=${getPath("index")}`, `new_certs_dir=${directory}`],
      ...["default_md=sha256", "policy=p", "rand_serial=yes", "unique_subject=no"],
      ...["[p]", "commonName=supplied", "[req]", "distinguished_name=d", "[d]"],
    ].join("\n"),
  );

  const rootArgs = [
    "-subj",
    "/CN=Root of tests",
    "-days",
    "30",
    "-addext",
    "basicConstraints=critical,CA:TRUE",
  ];
  openssl(
    "req",
    "-x509",
    ...NEW_KEY_ARGS,
    "-keyout",
    getPath("root.key"),
    "-out",
    getPath("root.cert"),
    ...rootArgs,
  );

  const signCertificate = (name: string, issuerName: string, extensions: string, from: Date, until: Date) => {
    const requestArgs = [
      "-keyout",
      getPath(`${name}.key`),
      "-out",
      getPath(`${name}.request`),
      "-subj",
      `/CN=${name}`,
    ];
    openssl("req", "-config", getPath("config"), "-new", ...NEW_KEY_ARGS, ...requestArgs);
    writeFileSync(getPath("extensions"), extensions);
    const issuerArgs = [
      "-keyfile",
      getPath(`${issuerName}.key`),
      "-cert",
      getPath(`${issuerName}.cert`),
      "-extfile",
      getPath("extensions"),
    ];
    const validityArgs = ["-startdate", toAsn1Time(from), "-enddate", toAsn1Time(until)];
    const fileArgs = ["-in", getPath(`${name}.request`), "-out", getPath(`${name}.cert`)];
    openssl(
      "ca",
      "-batch",
      "-notext",
      "-config",
      getPath("config"),
      ...issuerArgs,
      ...validityArgs,
      ...fileArgs,
    );
  };
  const daysFromNow = (count: number) => new Date(Date.now() + count * DAY);
  signCertificate("intermediate", "root", CA_EXTENSIONS, daysFromNow(-30), daysFromNow(30));

  return {
    intermediate: readText("intermediate.cert"),
    issue({ names, from = daysFromNow(-1), until = daysFromNow(90) }) {
      signCertificate("server", "intermediate", `subjectAltName=${names}`, from, until);
      return { key: readText("server.key"), cert: readText("server.cert") };
    },
    close: trustAuthority(readText("root.cert"), () => rmSync(directory, { recursive: true })),
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
