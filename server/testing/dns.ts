import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** Response for a name: records by type, an error, or no reply. Each character of `txt` is one byte. */
type Records = { mx?: string[]; ns?: string[]; txt?: string[]; a?: string[] };
type Zone = Records | "nodata" | "nxdomain" | "servfail" | "silent";

/** Fake DNS server on loopback. Unknown names do not exist, except `com`. */
export interface FakeDnsServer {
  address: string;
  zones: Map<string, Zone>;
  queries: string[];
}

const RECORD_TYPES = { a: 1, ns: 2, mx: 15, txt: 16 };
const RESPONSE_CODES = { nodata: 0, servfail: 2, nxdomain: 3 };

export async function openFakeDnsServer(): Promise<FakeDnsServer> {
  const socket = createSocket("udp4");
  const zones = new Map<string, Zone>([["com", { ns: ["a.gtld-servers.net"] }]]);
  const queries: string[] = [];
  socket.on("message", (query, sender) => {
    const { name, type, end } = parseQuestion(query);
    queries.push(name);
    const zone = zones.get(name) ?? "nxdomain";
    if (zone === "silent") return;
    socket.send(buildReply(query, end, zone, type), sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  afterAll(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, zones, queries };
}

function parseQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query[offset++]!; length > 0; length = query[offset++]!) {
    labels.push(query.toString("ascii", offset, offset + length));
    offset += length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(offset), end: offset + 4 };
}

function buildReply(query: Buffer, end: number, zone: Exclude<Zone, "silent">, type: number): Buffer {
  const records = typeof zone === "string" ? [] : buildRecords(zone, type);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (typeof zone === "string" ? RESPONSE_CODES[zone] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

function buildRecords({ mx = [], ns = [], txt = [], a = [] }: Records, type: number): Buffer[] {
  if (type === RECORD_TYPES.mx)
    return mx.map((host, index) =>
      encodeRecord(type, Buffer.concat([Buffer.from([0, index * 10]), encodeName(host)])),
    );
  if (type === RECORD_TYPES.ns) return ns.map((host) => encodeRecord(type, encodeName(host)));
  if (type === RECORD_TYPES.txt)
    return txt.map((text) =>
      encodeRecord(type, Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "latin1")])),
    );
  if (type === RECORD_TYPES.a)
    return a.map((address) => encodeRecord(type, Buffer.from(address.split(".").map(Number))));
  return [];
}

function encodeRecord(type: number, recordData: Buffer): Buffer {
  const recordHeader = Buffer.alloc(12);
  recordHeader.writeUInt16BE(0xc00c, 0);
  recordHeader.writeUInt16BE(type, 2);
  recordHeader.writeUInt16BE(1, 4);
  recordHeader.writeUInt32BE(60, 6);
  recordHeader.writeUInt16BE(recordData.length, 10);
  return Buffer.concat([recordHeader, recordData]);
}

function encodeName(name: string): Buffer {
  const labels = name.split(".").filter(Boolean);
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}
