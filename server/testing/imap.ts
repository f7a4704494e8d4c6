import net, { type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import tls, { TLSSocket } from "node:tls";
import { afterAll, beforeAll } from "vitest";
import { TEST_CERTIFICATE } from "./certificate";

type Step = "GREETING" | "CAPABILITY" | "STARTTLS" | "AUTHENTICATE" | "LOGIN" | "NOOP" | "LOGOUT";

type Fault = "hang" | "cut" | "huge" | "flood";

/** Fake IMAP server (RFC 9051) on loopback, limited to signing in. */
export interface FakeImapServer {
  port: number;
  users: Map<string, string>;
  capabilities: string;
  offersTls: boolean;
  /** Greeting: `OK`, or `PREAUTH` for an already authenticated client. */
  greeting: "OK" | "PREAUTH";
  refusal: string | undefined;
  fault: { at: Step; kind: Fault } | undefined;
  /** Received commands in order; `!` marks those before TLS. */
  commands: string[];
}

/** Starts a server with implicit TLS or STARTTLS; closed after the file's last test. */
export async function openFakeImapServer({ startTls = false } = {}): Promise<FakeImapServer> {
  const peer: FakeImapServer = {
    port: 0,
    users: new Map(),
    capabilities: "IMAP4rev1 AUTH=PLAIN",
    offersTls: true,
    greeting: "OK",
    refusal: undefined,
    fault: undefined,
    commands: [],
  };
  const sockets = new Set<Socket>();
  const greet = (socket: Socket) => {
    socket.on("error", () => {});
    if (!applyFault(peer, socket, "GREETING")) socket.write(`* ${peer.greeting} ready\r\n`);
    converse(peer, socket);
  };
  const server = startTls ? net.createServer(greet) : tls.createServer(TEST_CERTIFICATE, greet);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  peer.port = (server.address() as AddressInfo).port;
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return peer;
}

/** Makes clients of this process trust the test certificate, within a file or `describe`. */
export function trustTestCertificate(): void {
  const { createSecureContext } = tls;
  beforeAll(() => {
    tls.createSecureContext = (options) => createSecureContext({ ca: TEST_CERTIFICATE.cert, ...options });
  });
  afterAll(() => {
    tls.createSecureContext = createSecureContext;
  });
}

function converse(peer: FakeImapServer, socket: Socket): void {
  const encrypted = socket instanceof TLSSocket;
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  const say = (line: string) => void socket.write(`${line}\r\n`);
  let handleLine: ((line: string) => void) | undefined;
  const authenticate = (tag: string, user: string, password: string) => {
    const isValid = peer.users.get(user) === password;
    const refusal = peer.refusal ?? "[AUTHENTICATIONFAILED] Invalid credentials";
    say(isValid && !peer.refusal ? `${tag} OK welcome` : `${tag} NO ${refusal}`);
  };
  lines.on("error", () => {});
  lines.on("line", (line) => {
    if (handleLine) return handleLine(line);
    const [, tag = "*", name = "", rest = ""] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    const step = name.toUpperCase() as Step;
    peer.commands.push(encrypted ? step : `!${step}`);
    if (applyFault(peer, socket, step)) return;
    switch (step) {
      case "CAPABILITY":
        say(
          `* CAPABILITY ${encrypted ? peer.capabilities : `IMAP4rev1${peer.offersTls ? " STARTTLS" : ""}`}`,
        );
        return say(`${tag} OK done`);
      case "STARTTLS":
        lines.close();
        socket.removeAllListeners("data");
        socket.write(`${tag} OK begin\r\n`, () => {
          const tlsSocket = new TLSSocket(socket, { isServer: true, ...TEST_CERTIFICATE });
          tlsSocket.on("error", () => {});
          converse(peer, tlsSocket);
        });
        return;
      case "AUTHENTICATE":
        handleLine = (encoded) => {
          handleLine = undefined;
          const [, user = "", password = ""] = Buffer.from(encoded, "base64").toString().split("\0");
          authenticate(tag, user, password);
        };
        return say("+ ");
      case "LOGIN": {
        const [user = "", password = ""] = rest.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
        return authenticate(tag, unquoted(user), unquoted(password));
      }
      case "NOOP":
        return say(`${tag} OK done`);
      case "LOGOUT":
        say("* BYE");
        return void socket.end(`${tag} OK bye\r\n`);
      default:
        return say(`${tag} BAD unknown`);
    }
  });
}

const unquoted = (text: string) => text.replace(/^"(.*)"$/, "$1").replace(/\\(.)/g, "$1");

/** Applies the fault of a step; returns whether there was one. */
function applyFault(peer: FakeImapServer, socket: Socket, step: Step): boolean {
  if (peer.fault?.at !== step) return false;
  if (peer.fault.kind === "cut") socket.destroy();
  if (peer.fault.kind === "huge") socket.write(Buffer.alloc(10 * 1024 * 1024, "x"));
  if (peer.fault.kind === "flood") flood(socket);
  return true;
}

function flood(socket: Socket): void {
  const lines = Buffer.from("* OK still here\r\n".repeat(1000));
  const more = () => {
    while (socket.writable && socket.write(lines));
  };
  socket.on("drain", more);
  more();
}
