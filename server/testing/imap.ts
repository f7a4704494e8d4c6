import net, { type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import tls, { TLSSocket } from "node:tls";
import { afterAll, beforeAll } from "vitest";
import { TEST_CERTIFICATE } from "./certificate";

/** A command as a client sends it, and the moment before any. */
type Step = "GREETING" | "CAPABILITY" | "STARTTLS" | "AUTHENTICATE" | "LOGIN" | "NOOP" | "LOGOUT";

/** What happens at a step instead of the answer. */
type Fault = "hang" | "cut" | "huge" | "flood";

/** A mail server on loopback that speaks IMAP (RFC 9051) as far as a sign-in goes. */
export interface ImapPeer {
  port: number;
  /** Passwords by user name. */
  users: Map<string, string>;
  /** What it may be asked for, once the connection is encrypted. */
  capabilities: string;
  /** Whether it has TLS, where it does not begin with it. */
  offersTls: boolean;
  /** How it begins: `OK`, or `PREAUTH` as one that knows the client already. */
  greeting: "OK" | "PREAUTH";
  /** What it says instead of letting anybody in. */
  refusal: string | undefined;
  fault: { at: Step; does: Fault } | undefined;
  /** Commands in order, those before TLS with a `!`. */
  seen: string[];
}

/** Opens a server that begins with TLS, or takes STARTTLS; gone after the file's last test. */
export async function imapPeer({ startTls = false } = {}): Promise<ImapPeer> {
  const peer: ImapPeer = {
    port: 0,
    users: new Map(),
    capabilities: "IMAP4rev1 AUTH=PLAIN",
    offersTls: true,
    greeting: "OK",
    refusal: undefined,
    fault: undefined,
    seen: [],
  };
  const sockets = new Set<Socket>();
  const greet = (socket: Socket) => {
    socket.on("error", () => {});
    if (!failed(peer, socket, "GREETING")) socket.write(`* ${peer.greeting} ready\r\n`);
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

/** Clients of this process trust the certificate of tests, in the tests of a file or of a `describe`. */
export function trustTestCertificate(): void {
  const { createSecureContext } = tls;
  beforeAll(() => {
    tls.createSecureContext = (options) => createSecureContext({ ca: TEST_CERTIFICATE.cert, ...options });
  });
  afterAll(() => {
    tls.createSecureContext = createSecureContext;
  });
}

/** Answers commands one after the other, until the client leaves or goes on under TLS. */
function converse(peer: ImapPeer, socket: Socket): void {
  const encrypted = socket instanceof TLSSocket;
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
  const say = (line: string) => void socket.write(`${line}\r\n`);
  /** What the next line is, when it is no command. */
  let answered: ((line: string) => void) | undefined;
  const judge = (tag: string, user: string, password: string) => {
    const known = peer.users.get(user) === password;
    const refusal = peer.refusal ?? "[AUTHENTICATIONFAILED] Invalid credentials";
    say(known && !peer.refusal ? `${tag} OK welcome` : `${tag} NO ${refusal}`);
  };
  lines.on("error", () => {});
  lines.on("line", (line) => {
    if (answered) return answered(line);
    const [, tag = "*", name = "", rest = ""] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    const step = name.toUpperCase() as Step;
    peer.seen.push(encrypted ? step : `!${step}`);
    if (failed(peer, socket, step)) return;
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
          const secured = new TLSSocket(socket, { isServer: true, ...TEST_CERTIFICATE });
          secured.on("error", () => {});
          converse(peer, secured);
        });
        return;
      case "AUTHENTICATE":
        answered = (given) => {
          answered = undefined;
          const [, user = "", password = ""] = Buffer.from(given, "base64").toString().split("\0");
          judge(tag, user, password);
        };
        return say("+ ");
      case "LOGIN": {
        const [user = "", password = ""] = rest.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
        return judge(tag, unquoted(user), unquoted(password));
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

/** Does what goes wrong at this step; whether something did. */
function failed(peer: ImapPeer, socket: Socket, step: Step): boolean {
  if (peer.fault?.at !== step) return false;
  if (peer.fault.does === "cut") socket.destroy();
  if (peer.fault.does === "huge") socket.write(Buffer.alloc(10 * 1024 * 1024, "x"));
  if (peer.fault.does === "flood") flood(socket);
  return true;
}

/** Lines without an end, for as long as anybody listens. */
function flood(socket: Socket): void {
  const lines = Buffer.from("* OK still here\r\n".repeat(1000));
  const more = () => {
    while (socket.writable && socket.write(lines));
  };
  socket.on("drain", more);
  more();
}
