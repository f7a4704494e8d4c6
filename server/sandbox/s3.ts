import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

export interface S3Bucket {
  name: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  files: Map<string, { bytes: Buffer; changedAt: Date }>;
  uploads: Map<string, { key: string; startedAt: Date; parts: Map<number, Buffer> }>;
}

const PART_MIN = 5 * 1024 * 1024;
const PAGE_MAX = 1000;

interface Call {
  method: string;
  key: string;
  query: URLSearchParams;
  body: Buffer;
  range?: string;
}

export interface S3Response {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const tagOf = (bytes: Buffer) => `"${createHash("md5").update(bytes).digest("hex")}"`;

const xml = (status: number, content: string): S3Response => ({
  status,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${content}`,
});
const failure = (status: number, code: string) => xml(status, `<Error><Code>${code}</Code></Error>`);
const result = (name: string, content: string) =>
  xml(200, `<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`);

export async function serveS3(req: IncomingMessage, bucket: S3Bucket): Promise<S3Response> {
  const body = await buffer(req);
  const url = new URL(req.url!, "http://bucket");
  if (!isSigned(req, url, bucket)) return failure(403, "SignatureDoesNotMatch");
  const [, name, key = ""] = /^\/([^/]+)(?:\/(.*))?$/s.exec(decodeURIComponent(url.pathname)) ?? [];
  if (name !== bucket.name) return failure(404, "NoSuchBucket");
  const call = { method: req.method!, key, query: url.searchParams, body, range: req.headers.range };
  const response =
    key === "" ? handleList(call, bucket) : (handleMultipart(call, bucket) ?? handleFile(call, bucket));
  return response ?? failure(405, "MethodNotAllowed");
}

export function sendS3Response(res: ServerResponse, { status, headers, body = "" }: S3Response): void {
  res.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers });
  res.end(res.req.method === "HEAD" ? undefined : body);
}

/** Checks AWS Signature Version 4, valid for 15 minutes. */
function isSigned(req: IncomingMessage, url: URL, bucket: S3Bucket): boolean {
  const [, id, day, region, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      req.headers.authorization ?? "",
    ) ?? [];
  if (!names) return false;
  const time = String(req.headers["x-amz-date"]);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (id !== bucket.accessKeyId || region !== bucket.region || !(Math.abs(Date.now() - at) < 900_000))
    return false;
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join("&");
  const headers = names.split(";").map((name) => `${name}:${String(req.headers[name]).trim()}\n`);
  const canonical = [
    req.method,
    url.pathname,
    query,
    headers.join(""),
    names,
    req.headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const signed = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = ["s3", "aws4_request"].reduce(
    hmac as (key: Buffer, text: string) => Buffer,
    hmac(hmac(`AWS4${bucket.secretAccessKey}`, day!), region!),
  );
  return timingSafeEqual(hmac(key, signed), Buffer.from(signature!, "hex"));
}

function handleFile({ method, key, body, range }: Call, { files }: S3Bucket): S3Response | undefined {
  if (method === "PUT") {
    files.set(key, { bytes: body, changedAt: new Date() });
    return { status: 200, headers: { etag: tagOf(body) } };
  }
  if (method === "DELETE") {
    files.delete(key);
    return { status: 204 };
  }
  if (method !== "GET" && method !== "HEAD") return undefined;
  const file = files.get(key);
  if (!file) return failure(404, "NoSuchKey");
  const headers = { etag: tagOf(file.bytes), "last-modified": file.changedAt.toUTCString() };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  if (from === undefined) return { status: 200, headers, body: file.bytes };
  const [start, end] = [Number(from), Math.min(to ? Number(to) : Infinity, file.bytes.length - 1)];
  if (start > end) return failure(416, "InvalidRange");
  const part = { "content-range": `bytes ${start}-${end}/${file.bytes.length}` };
  return { status: 206, headers: { ...headers, ...part }, body: file.bytes.subarray(start, end + 1) };
}

function handleMultipart(
  { method, key, query, body }: Call,
  { files, uploads }: S3Bucket,
): S3Response | undefined {
  if (method === "POST" && query.has("uploads")) {
    const id = randomUUID();
    uploads.set(id, { key, startedAt: new Date(), parts: new Map() });
    return result("InitiateMultipartUploadResult", `<Key>${escaped(key)}</Key><UploadId>${id}</UploadId>`);
  }
  const id = query.get("uploadId");
  if (id === null) return undefined;
  const upload = uploads.get(id);
  if (upload?.key !== key) return failure(404, "NoSuchUpload");
  if (method === "DELETE") {
    uploads.delete(id);
    return { status: 204 };
  }
  if (method === "PUT") {
    upload.parts.set(Number(query.get("partNumber")), body);
    return { status: 200, headers: { etag: tagOf(body) } };
  }
  if (method !== "POST") return undefined;
  const listedParts = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
  const joined = listedParts.map(([, number, tag]) => {
    const part = upload.parts.get(Number(number));
    return part && tagOf(part) === `"${tag!.replaceAll(/"|&quot;/g, "")}"` ? part : undefined;
  });
  if (joined.length === 0 || joined.includes(undefined)) return failure(400, "InvalidPart");
  const chunks = joined as Buffer[];
  if (chunks.slice(0, -1).some(({ length }) => length < PART_MIN)) return failure(400, "EntityTooSmall");
  const bytes = Buffer.concat(chunks);
  files.set(key, { bytes, changedAt: new Date() });
  uploads.delete(id);
  return result(
    "CompleteMultipartUploadResult",
    `<Key>${escaped(key)}</Key><ETag>${escaped(tagOf(bytes))}</ETag>`,
  );
}

function handleList({ method, query }: Call, { name, files, uploads }: S3Bucket): S3Response | undefined {
  if (method !== "GET") return undefined;
  if (query.has("uploads")) {
    const rows = [...uploads].map(
      ([id, { key, startedAt }]) =>
        `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
    );
    return result("ListMultipartUploadsResult", rows.join(""));
  }
  if (query.get("list-type") !== "2") return failure(400, "InvalidArgument");
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter");
  const after = Buffer.from(query.get("continuation-token") ?? "", "base64url").toString();
  const max = Math.min(Number(query.get("max-keys") ?? PAGE_MAX), PAGE_MAX);
  const rows = new Map<string, string>();
  for (const [key, { bytes, changedAt }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
    const folder = key.slice(0, end + 1);
    if (end >= 0) rows.set(folder, `<CommonPrefixes><Prefix>${escaped(folder)}</Prefix></CommonPrefixes>`);
    else
      rows.set(
        key,
        `<Contents><Key>${escaped(key)}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`,
      );
  }
  const remaining = [...rows].filter(([key]) => key > after);
  const page = remaining.slice(0, max);
  const token = Buffer.from(page.at(-1)?.[0] ?? "").toString("base64url");
  const more = remaining.length > page.length;
  return result(
    "ListBucketResult",
    `<Name>${name}</Name><Prefix>${escaped(prefix)}</Prefix><IsTruncated>${more}</IsTruncated>${
      more ? `<NextContinuationToken>${token}</NextContinuationToken>` : ""
    }${page.map(([, row]) => row).join("")}`,
  );
}
