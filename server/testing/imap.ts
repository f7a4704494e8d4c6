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
  greeting: "OK" | "PREAUTH";
  refusal: string | undefined;
  fault: { at: Step; kind: Fault } | undefined;
  /** Received commands in order; `!` marks those before TLS. */
  commands: string[];
}

/** Starts a server with implicit TLS or STARTTLS; closed after the file's last test. */
export async function openFakeImapServer({ startTls = false } = {}): Promise<FakeImapServer> {
  const fakeServer: FakeImapServer = {
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
  const handleConnection = (socket: Socket) => {
    socket.on("error", () => {});
    if (!applyFault(fakeServer, socket, "GREETING")) socket.write(`* ${fakeServer.greeting} ready\r\n`);
    handleCommands(fakeServer, socket);
  };
  const server = startTls
    ? net.createServer(handleConnection)
    : tls.createServer(TEST_CERTIFICATE, handleConnection);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  fakeServer.port = (server.address() as AddressInfo).port;
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return fakeServer;
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

function handleCommands(fakeServer: FakeImapServer, socket: Socket): void {
  const isEncrypted = socket instanceof TLSSocket;
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  const sendLine = (line: string) => void socket.write(`${line}\r\n`);
  let handleLine: ((line: string) => void) | undefined;
  const authenticate = (tag: string, user: string, password: string) => {
    const isValid = fakeServer.users.get(user) === password;
    const refusal = fakeServer.refusal ?? "[AUTHENTICATIONFAILED] Invalid credentials";
    sendLine(isValid && !fakeServer.refusal ? `${tag} OK welcome` : `${tag} NO ${refusal}`);
  };
  lines.on("error", () => {});
  lines.on("line", (line) => {
    if (handleLine) return handleLine(line);
    const [, tag = "*", name = "", commandArgs = ""] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    const step = name.toUpperCase() as Step;
    fakeServer.commands.push(isEncrypted ? step : `!${step}`);
    if (applyFault(fakeServer, socket, step)) return;
    switch (step) {
      case "CAPABILITY":
        sendLine(
          `* CAPABILITY ${isEncrypted ? fakeServer.capabilities : `IMAP4rev1${fakeServer.offersTls ? " STARTTLS" : ""}`}`,
        );
        return sendLine(`${tag} OK done`);
      case "STARTTLS":
        lines.close();
        socket.removeAllListeners("data");
        socket.write(`${tag} OK begin\r\n`, () => {
          const tlsSocket = new TLSSocket(socket, { isServer: true, ...TEST_CERTIFICATE });
          tlsSocket.on("error", () => {});
          handleCommands(fakeServer, tlsSocket);
        });
        return;
      case "AUTHENTICATE":
        handleLine = (encoded) => {
          handleLine = undefined;
          const [, user = "", password = ""] = Buffer.from(encoded, "base64").toString().split("\0");
          authenticate(tag, user, password);
        };
        return sendLine("+ ");
      case "LOGIN": {
        const [user = "", password = ""] = commandArgs.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
        return authenticate(tag, unquote(user), unquote(password));
      }
      case "NOOP":
        return sendLine(`${tag} OK done`);
      case "LOGOUT":
        sendLine("* BYE");
        return void socket.end(`${tag} OK bye\r\n`);
      default:
        return sendLine(`${tag} BAD unknown`);
    }
  });
}

const unquote = (text: string) => text.replace(/^"(.*)"$/, "$1").replace(/\\(.)/g, "$1");

function applyFault(fakeServer: FakeImapServer, socket: Socket, step: Step): boolean {
  if (fakeServer.fault?.at !== step) return false;
  if (fakeServer.fault.kind === "cut") socket.destroy();
  if (fakeServer.fault.kind === "huge") socket.write(Buffer.alloc(10 * 1024 * 1024, "x"));
  if (fakeServer.fault.kind === "flood") flood(socket);
  return true;
}

function flood(socket: Socket): void {
  const lines = Buffer.from("* OK still here\r\n".repeat(1000));
  const writeLines = () => {
    while (socket.writable && socket.write(lines));
  };
  socket.on("drain", writeLines);
  writeLines();
}
